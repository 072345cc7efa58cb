import { execFile } from "node:child_process";
import { globSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

/** A package of this workspace as it would be published. */
export interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const report = z.array(z.object({ name: z.string(), filename: z.string() }));

/** Builds all packages of this workspace, and packs them into a folder. */
export async function packPackages(folder: string): Promise<readonly PackedPackage[]> {
  mkdirSync(folder, { recursive: true });
  const packages = globSync("packages/*", { cwd: root }).map((path) => `./${path}`);
  const run = promisify(execFile);
  await run("node_modules/.bin/tsc", ["-b", ...packages], { cwd: root });
  // The scripts that prepare a package run on the Node of this workspace.
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}` };
  const { stdout } = await run("npm", ["pack", "--json", "--silent", "--pack-destination", folder, ...packages], {
    cwd: root,
    env,
    maxBuffer: 2 ** 26,
  });
  return report.parse(JSON.parse(stdout)).map(({ name, filename }) => ({ name, tarball: join(folder, filename) }));
}
