import { parseArgs } from "node:util";
import { commands } from "./commands.ts";
import { CommandError, UsageError } from "./command.ts";
import type { Command, OptionValues, Terminal } from "./command.ts";
import { nodeProblem } from "./node-version.ts";
import { programVersion } from "./program-version.ts";

/** Runs the program and returns its exit code: 0, 1 when the command failed, 2 when it was not understood. */
export async function run(parameters: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const problem = nodeProblem(process.versions.node);
    if (problem !== undefined) throw new CommandError(problem);
    await dispatch(parameters, terminal);
    return 0;
  } catch (error) {
    terminal.err(`kaji: ${lineOf(error)}\n`);
    if (parameters.includes("--verbose") && error instanceof Error) terminal.err(`${error.stack}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function dispatch([first = "--help", ...rest]: readonly string[], terminal: Terminal): Promise<void> {
  if (first === "help" && rest.length > 0) return dispatch([...rest, "--help"], terminal);
  if (first === "--help" || first === "-h" || first === "help") return terminal.out(help());
  if (first === "--version") return terminal.out(`${programVersion()}\n`);
  const [second = "", ...others] = rest;
  const long = `${first} ${second}`;
  const [name, given] = commands.has(long) ? [long, others] : [first, rest];
  const entry = commands.get(name);
  const named = [...commands].filter(([each]) => each.startsWith(`${first} `));
  if (named.length > 0 && (second === "--help" || second === "-h"))
    return terminal.out(`Usage: kaji ${first} COMMAND [options]\n\nCommands:\n${listOf(named)}`);
  if (entry === undefined) throw await unknownCommand(first, second);
  const command = await entry.load();
  const values = await valuesOf(name, command, given);
  if (values["help"] === true) return terminal.out(command.help);
  await command.run(values, terminal);
}

async function unknownCommand(first: string, second: string): Promise<UsageError> {
  const seconds = [...commands.keys()].filter((name) => name.startsWith(`${first} `));
  if (seconds.length > 0) {
    const asked = second === "" ? `'${first}' needs another word` : `unknown command '${first} ${second}'`;
    return new UsageError(`${asked}; there is ${seconds.join(" and ")}`);
  }
  if (first.startsWith("-")) return new UsageError(`unknown option '${first}'; kaji --help lists what there is`);
  const meant = (await nearName(first, commands.keys())) ?? (await nearName(`${first} ${second}`, commands.keys()));
  return new UsageError(
    `unknown command '${first}'; ${meant === undefined ? "" : `did you mean ${meant}? `}kaji --help lists what there is`,
  );
}

/** Loaded only for those who mistype. */
async function nearName(word: string, names: Iterable<string>): Promise<string | undefined> {
  return (await import("@kaji/core")).nearName(word, names);
}

async function valuesOf(name: string, { options, positionals: names = [] }: Command, given: readonly string[]): Promise<OptionValues> {
  const known = { ...options, help: { type: "boolean", short: "h" }, verbose: { type: "boolean" } } as const;
  const where = `kaji ${name} --help lists the options`;
  let parsed: { readonly values: object; readonly positionals: readonly string[] };
  try {
    parsed = parseArgs({ args: [...given], options: known, allowPositionals: names.length > 0 });
  } catch (error) {
    // Node adds advice that has nothing to do with this program after the first sentence.
    const [sentence = ""] = lineOf(error)
      .replace(/argument is ambiguous\.?$/, "has no value, or one that begins with a dash, which is written --OPTION=VALUE")
      .split(/\. | This /);
    const unknown = /^Unknown option '--([^']+)'/.exec(sentence)?.[1];
    const meant = unknown === undefined ? undefined : await nearName(unknown, Object.keys(known));
    const question = meant === undefined ? "" : `did you mean --${meant}? `;
    throw new UsageError(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}; ${question}${where}`, { cause: error });
  }
  const extra = parsed.positionals[names.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument '${extra}'; ${where}`);
  return { ...parsed.values, ...Object.fromEntries(parsed.positionals.map((value, index) => [names[index], value])) };
}

function help(): string {
  return `Usage: kaji COMMAND [options]

Commands:
${listOf([...commands])}
Options:
  --help      show this, or with a command its options
  --version   show the version

Example:
  kaji init my-operator
`;
}

/** Commands, each with what it does. */
function listOf(listed: readonly (readonly [string, { readonly summary: string }])[]): string {
  const width = Math.max(...listed.map(([name]) => name.length)) + 3;
  return listed.map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}\n`).join("");
}

function lineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "";
}
