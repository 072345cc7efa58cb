import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Versions } from "./go-module.ts";
import type { ProgramName } from "./programs.ts";

/** The variables the tool reads; `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where programs are taken from. */
export type ProgramFolder =
  /** A folder the user prepared, as controller-runtime's envtest knows it: what is not there is not offered. */
  | { readonly type: "Assets"; readonly path: string }
  /** Our cache: what is not there can be built. */
  | { readonly type: "Cache"; readonly path: string };

/** `KUBEBUILDER_ASSETS` when it is set; else a folder of the cache that belongs to these versions and this platform. */
export function programFolder(env: Environment, versions: Versions): ProgramFolder {
  const assets = env["KUBEBUILDER_ASSETS"];
  if (assets) return { type: "Assets", path: assets };
  const key = `${versions.kubernetes}-etcd-${versions.etcd}-${process.platform}-${process.arch}`;
  return { type: "Cache", path: join(cacheRoot(env), key) };
}

/** Those of the programs that the folder does not hold. */
export function missingPrograms<Name extends ProgramName>(folder: ProgramFolder, names: readonly Name[]): Name[] {
  return names.filter((name) => !isExecutable(join(folder.path, name)));
}

/** `$KAJI_KUBE_CACHE`, else the user's cache folder. */
function cacheRoot(env: Environment): string {
  return env["KAJI_KUBE_CACHE"] || join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "kaji", "kube");
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
