import { join } from "node:path";
import { UsageError } from "../command.ts";
import type { OptionValues } from "../command.ts";

/** What `kaji up` was asked for. */
export interface UpOptions {
  readonly folder: string;
  readonly storage: "memory" | "sqlite";
  readonly host: string;
  readonly port: number;
  readonly kubeconfig: string;
  readonly logsRequests: boolean;
  readonly output: "json" | "text";
}

/** Reads the options of `kaji up`. */
export function upOptions(values: OptionValues): UpOptions {
  const folder = textOf(values, "data", ".kaji");
  return {
    folder,
    storage: oneOf(values, "storage", ["sqlite", "memory"]),
    host: textOf(values, "host", "127.0.0.1"),
    port: portOf(textOf(values, "port", "6443")),
    kubeconfig: textOf(values, "kubeconfig", join(folder, "kubeconfig")),
    logsRequests: values["log"] !== undefined && oneOf(values, "log", ["requests"]) === "requests",
    output: oneOf(values, "output", ["text", "json"]),
  };
}

function textOf(values: OptionValues, name: string, fallback: string): string {
  const value = values[name] ?? fallback;
  if (typeof value !== "string" || value === "") throw new UsageError(`--${name} must not be empty`);
  return value;
}

/** The first choice is the default. */
function oneOf<Choice extends string>(values: OptionValues, name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  const value = values[name];
  if (value === undefined) return choices[0];
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`--${name} must be ${choices.join(" or ")}, not '${value}'`);
  return choice;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new UsageError(`--port must be a number from 0 to 65535, not '${text}'`);
  return port;
}
