import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { UsageError } from "./command.ts";
import type { Command, OptionValues, Terminal } from "./command.ts";

/** Every command by its name; each loads only what it needs. */
const commands: ReadonlyMap<string, { readonly summary: string; readonly load: () => Promise<Command> }> = new Map([
  ["up", { summary: "run a Kubernetes control plane on this machine", load: async () => (await import("./up/up-command.ts")).upCommand }],
]);

/** Runs the program and returns its exit code: 0, 1 when the command failed, 2 when it was not understood. */
export async function run(parameters: readonly string[], terminal: Terminal): Promise<number> {
  const [name = "--help", ...rest] = parameters;
  try {
    await dispatch(name, rest, terminal);
    return 0;
  } catch (error) {
    terminal.err(`kaji: ${lineOf(error)}\n`);
    if (rest.includes("--verbose") && error instanceof Error) terminal.err(`${error.stack}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function dispatch(name: string, rest: readonly string[], terminal: Terminal): Promise<void> {
  if (name === "--help" || name === "-h" || name === "help") return terminal.out(help());
  if (name === "--version") return terminal.out(`${version()}\n`);
  const entry = commands.get(name);
  if (entry === undefined) {
    throw new UsageError(`unknown ${name.startsWith("-") ? "option" : "command"} '${name}'; kaji --help lists what there is`);
  }
  const command = await entry.load();
  const values = valuesOf(name, command, rest);
  if (values["help"] === true) return terminal.out(command.help);
  await command.run(values, terminal);
}

function valuesOf(name: string, { options }: Command, rest: readonly string[]): OptionValues {
  const known = { ...options, help: { type: "boolean", short: "h" }, verbose: { type: "boolean" } } as const;
  try {
    const { values } = parseArgs({ args: [...rest], options: known, allowPositionals: false });
    return { ...values };
  } catch (error) {
    // Node adds advice that has nothing to do with this program after the first sentence.
    const [sentence = ""] = lineOf(error).split(/\. | This /);
    throw new UsageError(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}; kaji ${name} --help lists the options`, {
      cause: error,
    });
  }
}

function help(): string {
  const list = [...commands].map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}\n`).join("");
  return `Usage: kaji COMMAND [options]

Commands:
${list}
Options:
  --help      show this, or with a command its options
  --version   show the version

Example:
  kaji up --help
`;
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "unknown";
}

function lineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? "";
}
