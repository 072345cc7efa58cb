import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The versions the Go module pins. */
export interface Versions {
  /** For example `v1.36.3`. */
  readonly kubernetes: string;
  /** For example `v3.6.8`. */
  readonly etcd: string;
  /** The oldest Go that builds them, for example `1.26.0`. */
  readonly go: string;
}

/** The folder of the Go module that pins what the tool builds. */
export const goModuleFolder: string = fileURLToPath(new URL("../go/", import.meta.url));

/** The versions as go.mod has them: it is the only place where they are written. */
export function readVersions(goMod: string = readFileSync(`${goModuleFolder}go.mod`, "utf8")): Versions {
  return {
    kubernetes: find(goMod, /^\s*(?:require )?k8s\.io\/kubernetes (v\S+)/m, "k8s.io/kubernetes"),
    etcd: find(goMod, /^\s*(?:require )?go\.etcd\.io\/etcd\/server\/v3 (v\S+)/m, "go.etcd.io/etcd/server/v3"),
    go: find(goMod, /^go (\S+)/m, "go"),
  };
}

function find(goMod: string, line: RegExp, what: string): string {
  const version = line.exec(goMod)?.[1];
  if (version === undefined) throw new Error(`go.mod names no version of ${what}`);
  return version;
}
