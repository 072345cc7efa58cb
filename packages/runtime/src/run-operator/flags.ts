import { errorMessage, nearName } from "@kaji/core";

/** A flag of a program. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** What its value is called in the help. Absent: it is on or off. */
  readonly value?: string;
  readonly help: string;
}

/** The flags that were given, on the command line or, where not, as variables. */
export interface GivenFlags {
  readonly text: (name: string) => string | undefined;
  readonly isSet: (name: string) => boolean;
  /** What a function makes of a value; what it throws names the flag then. */
  parsed<T>(name: string, parse: (text: string) => T): T | undefined;
  error(name: string, problem: string): UsageError;
}

/** The program was called wrongly. The message is one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Reads `--name value`, `--name=value` and variables such as `KAJI_NAME`; the command line wins. */
export function readFlags(
  flags: readonly Flag[],
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): GivenFlags | "Help" {
  const known = new Map(flags.map((flag) => [flag.name, flag]));
  const given = new Map<string, { readonly value: string; readonly from: string }>();
  for (const { name } of flags) {
    const variable = variableOf(name);
    const value = env[variable];
    if (value !== undefined && value !== "") given.set(name, { value, from: variable });
  }
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--help" || word === "-h") return "Help";
    const [, name, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = name === undefined ? undefined : known.get(name);
    if (flag === undefined) throw unknownFlag(word, nearName(name ?? "", known.keys()));
    given.set(flag.name, { value: value ?? valueOf(flag, words), from: `--${flag.name}` });
  }
  const error = (name: string, problem: string): UsageError => new UsageError(`${given.get(name)?.from ?? `--${name}`}: ${problem}`);
  return {
    text: (name) => given.get(name)?.value,
    isSet: (name) => booleanOf(given.get(name)?.value ?? "false", (problem) => error(name, problem)),
    parsed(name, parse) {
      const text = given.get(name)?.value;
      try {
        return text === undefined ? undefined : parse(text);
      } catch (cause) {
        throw error(name, errorMessage(cause));
      }
    },
    error,
  };
}

function unknownFlag(word: string, meant: string | undefined): UsageError {
  return new UsageError(`${word} is not a flag of this program; ${meant === undefined ? "" : `did you mean --${meant}? `}see --help`);
}

/** The flags as a person reads them. */
export function helpText(
  flags: readonly Flag[],
  { usage, examples }: { readonly usage: string; readonly examples: readonly string[] },
): string {
  const shown = [...flags, { name: "help", help: "show this" }].map(({ name, value, help }) => ({
    left: `--${name}${value === undefined ? "" : ` ${value}`}`,
    help,
  }));
  const width = Math.max(...shown.map(({ left }) => left.length));
  const lines = shown.map(({ left, help }) => `  ${left.padEnd(width)}  ${help}`);
  const variable = `Each flag has a variable, such as ${variableOf("log-level")}. The flag wins.`;
  return [`Usage: ${usage}`, "", ...lines, "", variable, "", "Examples:", ...examples.map((example) => `  ${example}`), ""].join("\n");
}

function variableOf(name: string): string {
  return `KAJI_${name.toUpperCase().replaceAll("-", "_")}`;
}

function valueOf({ name, value }: Flag, words: string[]): string {
  if (value === undefined) return "true";
  const next = words.shift();
  if (next === undefined || next.startsWith("--")) throw new UsageError(`--${name} needs a value: --${name} ${value}`);
  return next;
}

function booleanOf(text: string, error: (problem: string) => UsageError): boolean {
  if (text !== "true" && text !== "false") throw error(`${JSON.stringify(text)} is neither true nor false`);
  return text === "true";
}
