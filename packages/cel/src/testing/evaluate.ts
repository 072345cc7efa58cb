import { compile } from "../compile.ts";
import type { Environment } from "../compile.ts";
import type { Bindings, Outcome } from "../program.ts";

/** What an expression without errors in it comes to. */
export function evaluate(text: string, bindings: Bindings = {}, variables: Environment["variables"] = {}): Outcome {
  const compiled = compile(text, { variables });
  if (compiled.type !== "Program") throw new Error(compiled.message);
  return compiled.program.evaluate(bindings);
}

/** The value of an expression; an error is thrown. */
export function valueOf(text: string, bindings: Bindings = {}, variables: Environment["variables"] = {}): unknown {
  const outcome = evaluate(text, bindings, variables);
  if (outcome.type !== "Value") throw new Error(outcome.message);
  return outcome.value;
}
