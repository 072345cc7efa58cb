import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is read and written of a lock file. */
export interface LockFile {
  readonly packages?: Readonly<Record<string, unknown>>;
}

/** Takes packages out of a project, so that npm installs those of the manifest: it would look for what the earlier ones were installed from, which is gone. */
export function forgetPackages(folder: string, names: readonly string[]): void {
  const modules = join(folder, "node_modules");
  for (const name of names) rmSync(join(modules, name), { recursive: true, force: true });
  // What npm notes of the modules is made anew from what is there.
  rmSync(join(modules, ".package-lock.json"), { force: true });
  const file = join(folder, "package-lock.json");
  if (!existsSync(file)) return;
  const lock = lockWithout(JSON.parse(readFileSync(file, "utf8")), names);
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
}

/** A lock file without packages of these names. */
export function lockWithout<L extends LockFile>(lock: L, names: readonly string[]): L {
  const isForgotten = (path: string): boolean =>
    names.some((name) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`));
  const kept = Object.entries(lock.packages ?? {}).filter(([path]) => !isForgotten(path));
  return { ...lock, packages: Object.fromEntries(kept) };
}
