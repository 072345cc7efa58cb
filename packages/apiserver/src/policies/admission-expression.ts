import { compile, jsonPatchType, listType, patchObjectType } from "@kaji/cel";
import type { Environment, Program, Type } from "@kaji/cel";

/** What an expression has to come to; nothing in particular for a variable. */
export type ExpressionResult = "bool" | "string" | "string or null" | "JSON patch" | "object" | "anything";

/** An expression of a policy or a match condition, compiled. */
export type AdmissionExpression = CompiledExpression | FaultyExpression;

/** One that can be evaluated. */
export interface CompiledExpression {
  readonly type: "Compiled";
  readonly text: string;
  readonly program: Program;
}

/** One that cannot. */
export interface FaultyExpression {
  readonly type: "Faulty";
  readonly text: string;
  /** Why, in the words of the real server. */
  readonly problem: string;
  /** Whether the server takes the blame, since the expression is right by its types. */
  readonly isInternal: boolean;
}

/** Compiles an expression and looks at what it comes to. */
export function admissionExpression(text: string, environment: Environment, result: ExpressionResult): AdmissionExpression {
  const compiled = compile(text, environment);
  const faulty = (problem: string): FaultyExpression => ({ type: "Faulty", text, problem, isInternal: false });
  switch (compiled.type) {
    case "Issues":
      return faulty(`compilation failed: ${compiled.message}`);
    case "InvalidConstant":
      return { ...faulty(`program instantiation failed: ${compiled.message}`), isInternal: true };
    case "Program": {
      const { type } = compiled.program;
      const names = acceptedTypes[result];
      if (names.length === 0 || names.includes(typeText(type))) return { type: "Compiled", text, program: compiled.program };
      return faulty(`must evaluate to ${names.length === 1 ? names[0] : `one of [${names.join(" ")}]`} but got ${typeText(type)}`);
    }
    default:
      return compiled satisfies never;
  }
}

/** The names of the types. None stands for all. */
const acceptedTypes: Readonly<Record<ExpressionResult, readonly string[]>> = {
  bool: ["bool"],
  string: ["string"],
  "string or null": ["string", "null_type"],
  "JSON patch": [typeText(listType(jsonPatchType))],
  object: [typeText(patchObjectType)],
  anything: [],
};

/** A type as cel-go prints it. */
function typeText({ name, parameters }: Type): string {
  return parameters.length === 0 ? name : `${name}(${parameters.map(typeText).join(", ")})`;
}
