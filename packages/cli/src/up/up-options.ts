import { join } from "node:path";
import type { OptionValues } from "../command.ts";
import { numberOf, oneOf, optionalText, textOf } from "../option-values.ts";

/** What `kaji up` was asked for. */
export interface UpOptions {
  readonly folder: string;
  readonly storage: "memory" | "sqlite";
  readonly host: string;
  readonly port: number;
  readonly kubeconfig: string;
  readonly logsRequests: boolean;
  /** The file for audit events; undefined for none. */
  readonly audit: string | undefined;
  readonly output: "json" | "text";
}

/** Reads the options of `kaji up`. */
export function upOptions(values: OptionValues): UpOptions {
  const folder = textOf(values, "data", ".kaji");
  return {
    folder,
    storage: oneOf(values, "storage", ["sqlite", "memory"]),
    host: textOf(values, "host", "127.0.0.1"),
    port: numberOf(values, "port", { fallback: 6443, max: 65_535 }),
    kubeconfig: textOf(values, "kubeconfig", join(folder, "kubeconfig")),
    logsRequests: values["log"] !== undefined && oneOf(values, "log", ["requests"]) === "requests",
    audit: optionalText(values, "audit"),
    output: oneOf(values, "output", ["text", "json"]),
  };
}
