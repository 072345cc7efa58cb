import { UsageError } from "../command.ts";
import type { OptionValues, Terminal } from "../command.ts";

/** Something a command must know: from its option, else from the user at the terminal, else by default. */
export interface Wanted {
  /** The name of the option. */
  readonly option: string;
  /** How it is written on the command line. Default: as an option. */
  readonly written?: string;
  readonly question: string;
  readonly initial?: string | undefined;
  readonly problemOf: (answer: string) => string | undefined;
}

/** Gets the answers to questions, and asks only what is not known. */
export class Answers {
  readonly #values: OptionValues;
  readonly #terminal: Terminal;

  constructor(values: OptionValues, terminal: Terminal) {
    this.#values = values;
    this.#terminal = terminal;
  }

  async text({ option, written = `--${option}`, question, initial, problemOf }: Wanted): Promise<string> {
    const given = this.#values[option];
    if (typeof given === "string") {
      const problem = problemOf(given);
      if (problem !== undefined) throw new UsageError(`${written}: ${problem}`);
      return given;
    }
    const { prompt } = this.#terminal;
    if (prompt !== undefined && this.#values["yes"] !== true) return prompt.text({ question, initial, problemOf });
    if (initial === undefined) throw new UsageError(`${written} is needed: ${question.toLowerCase()}`);
    return initial;
  }

  /** One of a few; the first is the default. */
  async choice<Choice extends string>(option: string, question: string, choices: readonly [Choice, ...Choice[]]): Promise<Choice> {
    const given = this.#values[option];
    const { prompt } = this.#terminal;
    if (given === undefined && prompt !== undefined && this.#values["yes"] !== true) return prompt.choose(question, choices);
    const choice = given === undefined ? choices[0] : choices.find((each) => each === given);
    if (choice === undefined) throw new UsageError(`--${option} must be ${choices.join(" or ")}, not '${given}'`);
    return choice;
  }
}
