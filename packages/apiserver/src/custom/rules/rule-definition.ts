import { schemaSizes } from "@kaji/cel";
import type { Program, SchemaRole } from "@kaji/cel";
import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { RuleCosts, cardinalityInRequest, cardinalityInside } from "./rule-cost.ts";
import { compileRule, selfType } from "./rule-program.ts";
import type { RuleProgram } from "./rule-program.ts";
import { additionalOf, hasRules, itemsOf, propertiesOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps, ValidationRule } from "../schema/structural-schema.ts";

/** What is wrong with the expressions of a schema that is valid otherwise. */
export function validateExpressions(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  if (!hasRules(schema)) return [];
  const validation = new ExpressionValidation();
  return [
    ...validation.schemaErrors(schema, path, { role: "resource", uncorrelatable: undefined, cardinality: 1 }),
    ...validation.costs.errors(path),
  ];
}

/** Where a schema stands. */
interface Place {
  readonly role: SchemaRole;
  /** The list around it of which the items of before and after cannot be told to be the same. */
  readonly uncorrelatable: FieldPath | undefined;
  /** How many values of it there can be in an object; undefined if there is no limit. */
  readonly cardinality: number | undefined;
}

class ExpressionValidation {
  readonly costs = new RuleCosts();

  /** Those of inner schemas come first. */
  schemaErrors(schema: JsonSchemaProps, path: FieldPath, place: Place): FieldError[] {
    const items = itemsOf(schema);
    const additional = additionalOf(schema);
    const isMapList = schema["x-kubernetes-list-type"] === "map";
    const cardinality = cardinalityInside(schema, place.cardinality);
    const inner = (part: JsonSchemaProps, at: FieldPath, uncorrelatable = place.uncorrelatable): FieldError[] => {
      const role = part["x-kubernetes-embedded-resource"] === true ? "resource" : "part";
      return this.schemaErrors(part, at, { role, uncorrelatable, cardinality });
    };
    return [
      ...(additional === undefined ? [] : inner(additional, path.child("additionalProperties"))),
      ...propertiesOf(schema).flatMap(([name, property]) => inner(property, path.child("properties").key(name))),
      ...(items === undefined ? [] : inner(items, path.child("items"), isMapList ? place.uncorrelatable : (place.uncorrelatable ?? path))),
      ...this.#ownErrors(schema, path.child("x-kubernetes-validations"), place),
    ];
  }

  #ownErrors(schema: JsonSchemaProps, path: FieldPath, { role, uncorrelatable, cardinality }: Place): FieldError[] {
    const rules = schema["x-kubernetes-validations"] ?? [];
    if (rules.length === 0) return [];
    const self = selfType(schema, role);
    const sizes = schemaSizes(schema, role);
    if (self === undefined || sizes === undefined) {
      const why =
        "failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations";
      return [{ type: "InternalError", field: path.toString(), body: `Internal error: internal error: ${why}` }];
    }
    const times = cardinality ?? cardinalityInRequest(sizes);
    const costOf = (program: Program | undefined): number => program?.estimateCost(sizes) ?? 0;
    return rules.flatMap((rule, index) => {
      const compiled = compileRule(rule, schema, self);
      const at = path.index(index);
      return [
        ...this.costs.add(at.child("rule"), costOf(compiled.program) * times, "rule"),
        ...problems(compiled, at),
        ...this.costs.add(at.child("messageExpression"), costOf(compiled.message), "messageExpression"),
        ...oldSelfErrors(compiled, at, uncorrelatable),
      ];
    });
  }
}

function problems({ rule, problem, messageProblem }: RuleProgram, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (problem !== undefined) errors.push(invalidValue(path.child("rule"), shown(rule), problem));
  if (messageProblem !== undefined) errors.push(invalidValue(path.child("messageExpression"), shown(rule), messageProblem));
  return errors;
}

function oldSelfErrors({ rule, usesOld }: RuleProgram, path: FieldPath, uncorrelatable: FieldPath | undefined): FieldError[] {
  if (usesOld && uncorrelatable !== undefined) {
    const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    return [invalidValue(path.child("rule"), rule.rule ?? "", why)];
  }
  if (usesOld || rule.optionalOldSelf === undefined) return [];
  return [invalidValue(path.child("optionalOldSelf"), rule.optionalOldSelf, "may not be set if oldSelf is not used in rule")];
}

/** A rule as the server shows it, by the names of its own types. */
function shown({ rule = "", message = "", messageExpression = "", reason, fieldPath = "", optionalOldSelf }: ValidationRule): object {
  return {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason ?? null,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}
