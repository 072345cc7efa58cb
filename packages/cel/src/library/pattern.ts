import { RE2JS, RE2JSSyntaxException } from "re2js";
import type { Overload } from "../check/declaration.ts";
import { ErrorValue, noSuchOverload } from "../value/value.ts";
import type { Value } from "../value/value.ts";

/** A regular expression in Go's language, which matches in linear time; an error in Go's words when it is none. */
export function compilePattern(pattern: string): RE2JS | ErrorValue {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return new ErrorValue(`error parsing regexp: ${problemOf(error)}`);
    throw error;
  }
}

/** A test by a regular expression in Go's language, in time linear in the text. Throws where it is none. */
export function linearPattern(pattern: string): { test(text: string): boolean } {
  return RE2JS.compile(pattern);
}

/** A function of a text and a pattern, which is compiled once where it is constant. */
export function patternFunction(
  apply: (pattern: RE2JS, text: string, ...rest: readonly Value[]) => Value,
  prefix = "",
): Required<Pick<Overload, "call" | "specialize">> {
  return {
    call: (text, pattern, ...rest) => {
      if (typeof text !== "string" || typeof pattern !== "string") return noSuchOverload;
      const compiled = compilePattern(pattern);
      return compiled instanceof ErrorValue ? new ErrorValue(`${prefix}${compiled.message}`) : apply(compiled, text, ...rest);
    },
    specialize: ([, pattern]) => {
      if (typeof pattern !== "string") return undefined;
      const compiled = compilePattern(pattern);
      if (compiled instanceof ErrorValue) return compiled;
      return (text, _pattern, ...rest) => (typeof text === "string" ? apply(compiled, text, ...rest) : noSuchOverload);
    },
  };
}

function problemOf(error: RE2JSSyntaxException): string {
  // Of a backslash at the end Go quotes what follows it, which is nothing.
  return `${error.getDescription()}: \`${error.getPattern() ?? ""}\``;
}
