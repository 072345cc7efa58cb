import { FieldPath, isJsonObject } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject, JsonValue } from "@kaji/core";
import { Correlation } from "./correlation.ts";
import type { CrdScale } from "./crd.ts";
import { validateEmbedded } from "./embedded-objects.ts";
import { validateListTypes } from "./list-type-validation.ts";
import { validateScale, validateScaleStatus } from "./scale-paths.ts";
import { fieldErrorOf } from "./schema-problem.ts";
import type { StructuralNode } from "./structural-node.ts";
import { propertyOf, schemasIn } from "./structural-schema.ts";
import type { JsonSchemaProps } from "./structural-schema.ts";
import { ValueValidator } from "./value-validator.ts";

/** Checks an object by the CEL rules of its schema. On updates the rules may compare with what was before. */
export type RuleCheck = (object: DynamicObject, old: DynamicObject | undefined) => readonly FieldError[];

/** Makes the check of a schema's CEL rules; this is where evaluation of `x-kubernetes-validations` plugs in. */
export type RuleCompiler = (schema: JsonSchemaProps) => RuleCheck;

/** What the objects of one version of a custom kind are checked by. */
export interface CustomRules {
  readonly schema: JsonSchemaProps;
  readonly node: StructuralNode;
  readonly scale: CrdScale | undefined;
  /** Without it, CEL rules are not evaluated. */
  readonly rules: RuleCompiler | undefined;
}

/** Says what is wrong with an object of a custom kind, besides its metadata. */
export class CustomValidation {
  readonly #values: ValueValidator;
  readonly #status: ValueValidator | undefined;
  readonly #node: StructuralNode;
  readonly #scale: CrdScale | undefined;
  readonly #hasRules: boolean;
  readonly #checkRules: RuleCheck | undefined;

  constructor({ schema, node, scale, rules }: CustomRules) {
    const status = propertyOf(schema, "status");
    this.#values = new ValueValidator(schema);
    this.#status = status === undefined ? undefined : new ValueValidator(status);
    this.#node = node;
    this.#scale = scale;
    this.#hasRules = [...schemasIn(schema)].some((part) => (part["x-kubernetes-validations"] ?? []).length > 0);
    this.#checkRules = this.#hasRules ? rules?.(schema) : undefined;
  }

  /** A new object. */
  create(object: DynamicObject): readonly FieldError[] {
    const value = asJson(object);
    const errors = [
      ...this.#valueErrors(value, undefined),
      ...validateScale(value, this.#scale),
      ...validateEmbedded(value, this.#node, FieldPath.root),
      ...validateListTypes(value, this.#node, FieldPath.root),
    ];
    return this.#withRules(errors, object, undefined);
  }

  /** A changed object: what was wrong before is tolerated where it has not changed. */
  update(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
    const value = asJson(object);
    const errors = [
      ...this.#valueErrors(value, new Correlation(asJson(old), this.#node)),
      ...validateScale(value, this.#scale),
      ...validateEmbedded(value, this.#node, FieldPath.root),
      ...this.#newListErrors(value, asJson(old)),
    ];
    return this.#withRules(errors, object, old);
  }

  /** A changed status. */
  updateStatus(object: DynamicObject, old: DynamicObject): readonly FieldError[] {
    const value = asJson(object);
    const { status } = value;
    const before = new Correlation(asJson(old), this.#node).field("status");
    const problems = status === undefined || this.#status === undefined ? [] : this.#status.validate(status, before).problems;
    const errors = [
      ...problems.map((problem) => fieldErrorOf(problem, "status")),
      ...validateScaleStatus(value, this.#scale),
      ...this.#newListErrors(value, asJson(old)),
    ];
    return this.#withRules(errors, object, old);
  }

  #valueErrors(value: JsonValue, old: Correlation | undefined): readonly FieldError[] {
    return this.#values.validate(value, old).problems.map((problem) => fieldErrorOf(problem, undefined));
  }

  #newListErrors(value: JsonObject, old: JsonObject): readonly FieldError[] {
    const errors = validateListTypes(value, this.#node, FieldPath.root);
    return errors.length > 0 && validateListTypes(old, this.#node, FieldPath.root).length === 0 ? errors : [];
  }

  /** Rules are evaluated only on objects of the right shape; on others there is a word on that. */
  #withRules(errors: readonly FieldError[], object: DynamicObject, old: DynamicObject | undefined): readonly FieldError[] {
    if (!this.#hasRules) return errors;
    if (errors.some(({ type }) => blocking.has(type))) return [...errors, rulesNotChecked];
    return [...errors, ...(this.#checkRules?.(object, old) ?? [])];
  }
}

/** After these nobody knows whether a rule could be evaluated at all. */
const blocking: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const rulesNotChecked: FieldError = {
  type: "FieldValueInvalid",
  field: "<nil>",
  body: "Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
};

/** An object is JSON: it came through a schema. */
function asJson(object: DynamicObject): JsonObject {
  const value = object as unknown as JsonValue;
  if (!isJsonObject(value)) throw new TypeError("an object of a custom kind is a JSON object");
  return value;
}
