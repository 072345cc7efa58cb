import { schemaSizes } from "@kaji/cel";
import type { Program, SchemaRole } from "@kaji/cel";
import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { RuleCosts, cardinalityInRequest, cardinalityInside } from "./rule-cost.ts";
import { compileRule, selfType } from "./rule-program.ts";
import type { RuleProgram } from "./rule-program.ts";
import { additionalOf, hasRules, itemsOf, propertiesOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps, ValidationRule } from "../schema/structural-schema.ts";

/** What is wrong with the expressions of a structural schema. Those of parts in which `others` are wrong are not looked at. */
export function validateExpressions(schema: JsonSchemaProps, path: FieldPath, others: readonly FieldError[]): readonly FieldError[] {
  if (!hasRules(schema)) return [];
  const validation = new ExpressionValidation(others.map(({ field }) => field));
  return [
    ...validation.schemaErrors(schema, path, { role: "resource", uncorrelatable: undefined, cardinality: 1, scope: undefined }),
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
  /** The part around it, if there are rules there, or around that. */
  readonly scope: RuleScope | undefined;
}

/** A part of a schema about which there are rules, there or further out. */
class RuleScope {
  readonly #schema: JsonSchemaProps;
  readonly #place: Place;
  #isTyped: boolean | undefined;

  constructor(schema: JsonSchemaProps, place: Place) {
    this.#schema = schema;
    this.#place = place;
  }

  /** Whether it, and all around it, has a type for rules. */
  get isTyped(): boolean {
    const { scope, role } = this.#place;
    return (this.#isTyped ??= scope?.isTyped !== false && selfType(this.#schema, role) !== undefined);
  }
}

/** With any other, nobody knows which parts of a map were there before. */
const mapTypes: readonly (string | undefined)[] = [undefined, "granular", "atomic"];

class ExpressionValidation {
  readonly costs = new RuleCosts();
  /** The fields that are wrong for other reasons. */
  readonly #wrong: readonly string[];

  constructor(wrong: readonly string[]) {
    this.#wrong = wrong;
  }

  /** Those of inner schemas come first. */
  schemaErrors(schema: JsonSchemaProps, path: FieldPath, place: Place): FieldError[] {
    const items = itemsOf(schema);
    const additional = additionalOf(schema);
    const oneByOne = schema["x-kubernetes-list-type"] === "map" ? place.uncorrelatable : (place.uncorrelatable ?? path);
    const byName = mapTypes.includes(schema["x-kubernetes-map-type"]) ? place.uncorrelatable : (place.uncorrelatable ?? path);
    const cardinality = cardinalityInside(schema, place.cardinality);
    const isRuled = place.scope !== undefined || (schema["x-kubernetes-validations"] ?? []).length > 0;
    const scope = isRuled ? new RuleScope(schema, place) : undefined;
    const inner = (part: JsonSchemaProps, at: FieldPath, uncorrelatable = place.uncorrelatable): FieldError[] => {
      const role = part["x-kubernetes-embedded-resource"] === true ? "resource" : "part";
      return this.schemaErrors(part, at, { role, uncorrelatable, cardinality, scope });
    };
    return [
      ...(additional === undefined ? [] : inner(additional, path.child("additionalProperties"))),
      ...propertiesOf(schema).flatMap(([name, property]) => inner(property, path.child("properties").key(name), byName)),
      ...(items === undefined ? [] : inner(items, path.child("items"), oneByOne)),
      ...(this.#isWrong(path.toString()) ? [] : this.#ownErrors(schema, path.child("x-kubernetes-validations"), place)),
    ];
  }

  /** Whether something else is wrong with a part, or in it. */
  #isWrong(part: string): boolean {
    return this.#wrong.some((field) => field.startsWith(part) && /^(?:$|[.[])/.test(field.slice(part.length)));
  }

  #ownErrors(schema: JsonSchemaProps, path: FieldPath, { role, uncorrelatable, cardinality, scope }: Place): FieldError[] {
    const rules = schema["x-kubernetes-validations"] ?? [];
    if (rules.length === 0) return [];
    const self = scope?.isTyped === false ? undefined : selfType(schema, role);
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
