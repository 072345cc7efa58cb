import { UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { oneOf } from "../option-values.ts";
import { completionScript } from "./completion-script.ts";

/** `kaji completion`: the words of this program for a shell. */
export const completionCommand: Command = {
  help: `Usage: kaji completion SHELL

Writes a script to stdout that makes a shell complete commands and options: bash, zsh or fish.

Options:
  --verbose   show where an error comes from

Examples:
  source <(kaji completion bash)
  kaji completion fish > ~/.config/fish/completions/kaji.fish
`,
  positionals: ["shell"],
  options: { shell: { type: "string" } },
  run: completion,
};

async function completion(values: OptionValues, terminal: Terminal): Promise<void> {
  if (values["shell"] === undefined) throw new UsageError("for which shell? bash, zsh or fish");
  const shell = oneOf(values, "shell", ["bash", "zsh", "fish"]);
  const { commands } = await import("../commands.ts");
  const loaded = [...commands].map(async ([name, { summary, load }]) => ({ name, summary, options: Object.keys((await load()).options) }));
  terminal.out(completionScript(shell, await Promise.all(loaded)));
}
