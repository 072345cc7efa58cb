import { boolType, compile, optionalType, schemaType, stringType } from "@kaji/cel";
import type { Environment, Program, SchemaRole, Type } from "@kaji/cel";
import { ParseError } from "@kaji/core";
import { resolveField } from "../definition/schema-field-path.ts";
import { additionalOf, propertyOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps, ValidationRule } from "../schema/structural-schema.ts";

/** A rule of a schema, compiled. */
export interface RuleProgram {
  readonly rule: ValidationRule;
  /** Undefined when the rule cannot be evaluated. */
  readonly program: Program | undefined;
  /** Why it cannot be. */
  readonly problem: string | undefined;
  readonly message: Program | undefined;
  readonly messageProblem: string | undefined;
  readonly usesOld: boolean;
  /** Where its errors are reported, from where the rule is; may be empty. */
  readonly fieldPath: string;
}

/** What expressions of a schema's rules see `self` as; undefined when nothing is declared of it. */
export function selfType(schema: JsonSchemaProps, role: SchemaRole): Type | undefined {
  return schemaType(schema, role, "selfType");
}

/** Compiles a rule for values of a type. */
export function compileRule(rule: ValidationRule, schema: JsonSchemaProps, self: Type): RuleProgram {
  const { rule: text = "", messageExpression = "", optionalOldSelf = false } = rule;
  const environment = { variables: { self, oldSelf: optionalOldSelf ? optionalType(self) : self } };
  const { program, problem } = compileAs(text, environment, boolType, "");
  const message =
    messageExpression === "" || program === undefined
      ? undefined
      : compileAs(messageExpression, environment, stringType, "messageExpression ");
  return {
    rule,
    program,
    problem,
    message: message?.program,
    messageProblem: message?.problem,
    usesOld: program?.uses("oldSelf") ?? false,
    fieldPath: normalizedPath(rule.fieldPath ?? "", schema),
  };
}

interface Compiled {
  readonly program: Program | undefined;
  readonly problem: string | undefined;
}

function compileAs(text: string, environment: Environment, type: Type, prefix: "" | "messageExpression "): Compiled {
  if (text.trim() === "") return { program: undefined, problem: undefined };
  const compiled = compile(text, environment);
  const wrong = (problem: string): Compiled => ({ program: undefined, problem });
  switch (compiled.type) {
    case "Issues":
      return wrong(`${prefix}compilation failed: ${compiled.message}`);
    case "InvalidConstant":
      return wrong(`${prefix === "" ? "program " : prefix}instantiation failed: ${compiled.message}`);
    case "Program":
      if (compiled.program.type.kind === type.kind) return { program: compiled.program, problem: undefined };
      return wrong(prefix === "" ? "cel expression must evaluate to a bool" : "messageExpression must evaluate to a string");
    default:
      return compiled satisfies never;
  }
}

/** `.spec.labels['app']` as errors write it: `spec.labels[app]`. */
function normalizedPath(path: string, schema: JsonSchemaProps): string {
  if (path === "") return "";
  let current: JsonSchemaProps | undefined = schema;
  let normalized = "";
  for (const name of namesOf(path, schema)) {
    const property: JsonSchemaProps | undefined = current === undefined ? undefined : propertyOf(current, name);
    normalized += property === undefined ? `[${name}]` : `.${name}`;
    current = property ?? (current === undefined ? undefined : additionalOf(current));
  }
  return normalized.replace(/^\./, "");
}

function namesOf(path: string, schema: JsonSchemaProps): readonly string[] {
  try {
    return resolveField(path, schema, { brackets: "allowed" }).names;
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}
