/** Asks a person. Every method throws a `CancelledError` when the person would rather not answer. */
export interface Prompt {
  text(question: TextQuestion): Promise<string>;
  confirm(question: string): Promise<boolean>;
  choose<Choice extends string>(question: string, choices: readonly Choice[]): Promise<Choice>;
}

/** A question with any text for an answer. */
export interface TextQuestion {
  readonly question: string;
  /** What an empty answer means. */
  readonly initial?: string | undefined;
  /** What is wrong with an answer; undefined if nothing is. */
  readonly problemOf: (answer: string) => string | undefined;
}

/** The person at the terminal pressed Ctrl+C at a question. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";

  constructor() {
    super("cancelled; nothing was changed");
  }
}
