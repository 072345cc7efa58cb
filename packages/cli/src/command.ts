import type { ParseArgsOptionsConfig } from "node:util";
import type { Prompt } from "./prompt.ts";

/** A command of the program. Its module is loaded only when it is asked for. */
export interface Command {
  /** What `--help` prints, with an example. */
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  /** What may follow the command without dashes, in this order: each stands for the option of that name. Default none. */
  readonly positionals?: readonly string[];
  /** Does it. Settles when all is done; throws with one clear line when it cannot be done. */
  run(values: OptionValues, terminal: Terminal): Promise<void>;
}

/** Where a command says what it has to say: answers to `out`, anything else to `err`. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Asks the user who sits there. Absent where input is no terminal. */
  readonly prompt?: Prompt | undefined;
  /** What `err` is shown on. Absent where that is no terminal: then there are no colours, and lines are as long as they are. */
  readonly screen?: Screen | undefined;
}

/** A terminal that a person looks at. */
export interface Screen {
  /** How many characters a line has now. */
  readonly columns: number;
  paint(paint: Paint, text: string): string;
}

/** How a text stands out. */
export type Paint = "dim" | "green" | "red" | "yellow";

/** Options as they were given; one that can be given several times is a list. */
export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The command line makes no sense: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was asked for cannot be done, and the message says why and what to do about it. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
