import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { z } from "zod";

const manifest = z.object({ exports: z.record(z.string(), z.object({ default: z.string().optional() }).nullable()) });

/**
 * Makes of the modules in the `dist` of a package one file for each of its entries, and one for what entries share. Declarations stay as they are.
 *
 * A test that imports a control plane would otherwise wait for more than a thousand files to be found, read and linked, each time it runs.
 * What other packages have stays theirs, and names stay, for stack traces, which lead to the sources by the maps.
 */
export async function bundlePackage(folder: string): Promise<void> {
  const [dist, modules] = foldersOf(folder);
  // Left by a bundle that was interrupted.
  restorePackage(folder);
  const { exports } = manifest.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const entries = Object.values(exports).flatMap((entry) => (entry?.default === undefined ? [] : [join(folder, entry.default)]));
  renameSync(dist, modules);
  cpSync(modules, dist, { recursive: true, filter: (path) => !/\.js(?:\.map)?$/.test(path) });
  await build({
    entryPoints: entries.map((entry) => entry.replace(dist, modules)),
    outbase: modules,
    outdir: dist,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    packages: "external",
    sourcemap: true,
    sourcesContent: false,
    logLevel: "warning",
  });
}

/** Brings the modules back. */
export function restorePackage(folder: string): void {
  const [dist, modules] = foldersOf(folder);
  if (!existsSync(modules)) return;
  rmSync(dist, { recursive: true, force: true });
  renameSync(modules, dist);
}

/** Where the package is read from, and where its modules are meanwhile: as deep, so that maps stay true. */
function foldersOf(folder: string): readonly [dist: string, modules: string] {
  return [join(folder, "dist"), join(folder, "dist.modules")];
}
