import { createHash } from "node:crypto";
import { globSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PackedPackage } from "./pack-packages.ts";

/** Names packages in a folder after what is in them too, and removes all others there: npm takes a tarball whose name it has installed for the same as then. */
export function nameByContent(folder: string, packed: readonly PackedPackage[]): readonly PackedPackage[] {
  const named = packed.map(({ name, tarball }) => {
    const hash = createHash("sha256").update(readFileSync(tarball)).digest("hex").slice(0, 12);
    const place = join(dirname(tarball), `${basename(tarball, ".tgz")}-${hash}.tgz`);
    renameSync(tarball, place);
    return { name, tarball: place };
  });
  const kept = new Set(named.map(({ tarball }) => basename(tarball)));
  for (const file of globSync("*.tgz", { cwd: folder })) if (!kept.has(file)) rmSync(join(folder, file));
  return named;
}
