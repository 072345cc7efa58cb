import { UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { oneOf } from "../option-values.ts";
import { completionScript } from "./completion-script.ts";

/** `kaji completion`: the words of this program for a shell. */
export const completionCommand: Command = {
  help: `Usage: kaji completion SHELL [options]

Writes a script to stdout that makes a shell complete commands and options: bash, zsh or fish.

Options:
  --output FORMAT   text or json; json is the words alone, for another shell or an editor (default text)
  --verbose         show where an error comes from

Examples:
  source <(kaji completion bash)
  kaji completion fish > ~/.config/fish/completions/kaji.fish
`,
  positionals: ["shell"],
  options: { shell: { type: "string" }, output: { type: "string" } },
  run: completion,
};

const shells = ["bash", "zsh", "fish"] as const;

async function completion(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  if (values["shell"] === undefined && output === "text") throw new UsageError("for which shell? bash, zsh or fish");
  const shell = shells.find((each) => each === (values["shell"] ?? "bash"));
  if (shell === undefined) throw new UsageError(`there is no script for ${values["shell"]}, but for ${shells.join(", ")}`);
  const { commands } = await import("../commands.ts");
  const loading = [...commands].map(async ([name, { summary, load }]) => ({ name, summary, options: Object.keys((await load()).options) }));
  const loaded = await Promise.all(loading);
  terminal.out(output === "json" ? `${JSON.stringify(loaded)}\n` : completionScript(shell, loaded));
}
