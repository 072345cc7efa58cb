import { check } from "./check/checker.ts";
import { validateLiterals } from "./check/literals.ts";
import { Scope } from "./check/scope.ts";
import type { Type } from "./check/type.ts";
import { kubernetesFunctions } from "./library/kubernetes.ts";
import { patchFunctions, patchType } from "./library/patch.ts";
import { InvalidConstant } from "./evaluate/plan.ts";
import { Program } from "./program.ts";
import { parse } from "./syntax/parser.ts";
import { Source } from "./syntax/source.ts";

/** What an expression may use. */
export interface Environment {
  /** The variables by name. A name may have dots. */
  readonly variables: Readonly<Record<string, Type>>;
  /** Whether the expression may say how an object is to be changed, by `Object{…}` and `JSONPatch{…}`. Default false. */
  readonly makesPatches?: boolean | undefined;
}

/** A program, or why there is none. */
export type Compilation =
  | { readonly type: "Program"; readonly program: Program }
  /** The expression is wrong: errors with places, in cel-go's words. */
  | { readonly type: "Issues"; readonly message: string }
  /** A constant in it cannot be converted. */
  | { readonly type: "InvalidConstant"; readonly message: string };

/** Reads and checks an expression, and makes it into a program. */
export function compile(text: string, { variables, makesPatches = false }: Environment): Compilation {
  const source = new Source(text);
  const parsed = parse(source);
  if ("issues" in parsed) return { type: "Issues", message: source.describe(parsed.issues) };
  const scope = makesPatches ? Scope.of(variables, patchType) : Scope.of(variables);
  const { checked, issues } = check(parsed.expr, scope, makesPatches ? patchFunctions : kubernetesFunctions);
  if (issues.length > 0) return { type: "Issues", message: source.describe(issues) };
  const invalid = validateLiterals(checked);
  if (invalid.length > 0) return { type: "Issues", message: source.describe(invalid) };
  try {
    return { type: "Program", program: new Program(checked) };
  } catch (error) {
    if (error instanceof InvalidConstant) return { type: "InvalidConstant", message: error.message };
    throw error;
  }
}
