import { ParseError } from "@kaji/core";

/** A refusal, worded as Go's `regexp.Compile` does; `expression` is the part that cannot be. */
export function re2Error(problem: string, expression: string): ParseError {
  return new ParseError(`error parsing regexp: ${problem}: \`${expression}\``);
}
