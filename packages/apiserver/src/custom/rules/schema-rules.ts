import type { FieldError, JsonObject } from "@kaji/core";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";
import { evaluateRules } from "./rule-evaluation.ts";
import { compileRules } from "./rule-node.ts";
import { RuleRatchet } from "./rule-ratchet.ts";

/** The CEL rules of a schema, without a server: what they have against a new object that follows the schema otherwise, and has its defaults. */
export function schemaRules(schema: JsonSchemaProps): (object: JsonObject) => readonly FieldError[] {
  const rules = compileRules(schema, "resource");
  return (object) => (rules === undefined ? [] : evaluateRules(rules, object, undefined, RuleRatchet.none).errors);
}
