import { parseArgs } from "node:util";
import { commands } from "./commands.ts";
import { UsageError } from "./command.ts";
import type { Command, OptionValues, Terminal } from "./command.ts";
import { programVersion } from "./program-version.ts";

/** Runs the program and returns its exit code: 0, 1 when the command failed, 2 when it was not understood. */
export async function run(parameters: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await dispatch(parameters, terminal);
    return 0;
  } catch (error) {
    terminal.err(`kaji: ${lineOf(error)}\n`);
    if (parameters.includes("--verbose") && error instanceof Error) terminal.err(`${error.stack}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function dispatch([first = "--help", ...rest]: readonly string[], terminal: Terminal): Promise<void> {
  if (first === "--help" || first === "-h" || first === "help") return terminal.out(help());
  if (first === "--version") return terminal.out(`${programVersion()}\n`);
  const [second = "", ...others] = rest;
  const long = `${first} ${second}`;
  const [name, given] = commands.has(long) ? [long, others] : [first, rest];
  const entry = commands.get(name);
  if (entry === undefined) throw unknownCommand(first, second);
  const command = await entry.load();
  const values = valuesOf(name, command, given);
  if (values["help"] === true) return terminal.out(command.help);
  await command.run(values, terminal);
}

function unknownCommand(first: string, second: string): UsageError {
  const seconds = [...commands.keys()].filter((name) => name.startsWith(`${first} `));
  if (seconds.length > 0) {
    const asked = second === "" ? `'${first}' needs another word` : `unknown command '${first} ${second}'`;
    return new UsageError(`${asked}; there is ${seconds.join(" and ")}`);
  }
  return new UsageError(`unknown ${first.startsWith("-") ? "option" : "command"} '${first}'; kaji --help lists what there is`);
}

function valuesOf(name: string, { options, positionals: names = [] }: Command, given: readonly string[]): OptionValues {
  const known = { ...options, help: { type: "boolean", short: "h" }, verbose: { type: "boolean" } } as const;
  const where = `kaji ${name} --help lists the options`;
  let parsed: { readonly values: object; readonly positionals: readonly string[] };
  try {
    parsed = parseArgs({ args: [...given], options: known, allowPositionals: names.length > 0 });
  } catch (error) {
    // Node adds advice that has nothing to do with this program after the first sentence.
    const [sentence = ""] = lineOf(error).split(/\. | This /);
    throw new UsageError(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}; ${where}`, { cause: error });
  }
  const extra = parsed.positionals[names.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument '${extra}'; ${where}`);
  return { ...parsed.values, ...Object.fromEntries(parsed.positionals.map((value, index) => [names[index], value])) };
}

function help(): string {
  const width = Math.max(...[...commands.keys()].map((name) => name.length)) + 3;
  const list = [...commands].map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}\n`).join("");
  return `Usage: kaji COMMAND [options]

Commands:
${list}
Options:
  --help      show this, or with a command its options
  --version   show the version

Example:
  kaji init my-operator
`;
}

function lineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "";
}
