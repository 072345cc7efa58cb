import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { UsageError } from "../command.ts";
import type { OptionValues } from "../command.ts";
import { etcdPlace, requireNoEtcd } from "./etcd-place.ts";
import type { EtcdPlace } from "./etcd-place.ts";
import { isSet, numberOf, oneOf, optionalText, textOf, textsOf } from "../option-values.ts";

/** What `kaji up` was asked for. */
export interface UpOptions {
  readonly folder: string;
  readonly storage: "memory" | "sqlite" | EtcdPlace;
  readonly host: string;
  readonly port: number;
  readonly kubeconfig: string;
  /** How many nodes there are. */
  readonly nodes: number;
  readonly logsRequests: boolean;
  /** The file for audit events; undefined for none. */
  readonly audit: string | undefined;
  /** The programs that stand for images, by the image's name. */
  readonly images: ReadonlyMap<string, readonly string[]>;
  /** Whether the cluster has a web page. */
  readonly dashboard: boolean;
  readonly output: "json" | "text";
}

/** Reads the options of `kaji up`. */
export function upOptions(values: OptionValues): UpOptions {
  const folder = textOf(values, "data", ".kaji");
  return {
    folder,
    storage: storageOf(values),
    host: textOf(values, "host", "127.0.0.1"),
    port: numberOf(values, "port", { fallback: 6443, max: 65_535 }),
    kubeconfig: textOf(values, "kubeconfig", join(folder, "kubeconfig")),
    nodes: numberOf(values, "nodes", { fallback: 1, max: 200 }),
    logsRequests: values["log"] !== undefined && oneOf(values, "log", ["requests"]) === "requests",
    audit: optionalText(values, "audit"),
    images: new Map(textsOf(values, "image").map(imageOf)),
    dashboard: isSet(values, "dashboard"),
    output: oneOf(values, "output", ["text", "json"]),
  };
}

function storageOf(values: OptionValues): UpOptions["storage"] {
  const kind = oneOf(values, "storage", ["sqlite", "memory", "etcd"]);
  if (kind === "etcd") return etcdPlace(values);
  requireNoEtcd(values);
  return kind;
}

/** `NAME=PROGRAM`, where the program may have arguments. */
function imageOf(text: string): readonly [string, readonly string[]] {
  const [, name, program] = /^([^=\s]+)=\s*(\S.*)$/.exec(text) ?? [];
  if (name === undefined || program === undefined) throw new UsageError(`--image must be NAME=PROGRAM, not '${text}'`);
  const words = program.trim().split(/\s+/);
  const [file = ""] = words;
  if (file.includes("/") && !existsSync(file)) {
    throw new UsageError(`--image: there is no program ${resolve(file)}, which pods of ${name} are to run`);
  }
  return [name, words];
}
