import { FieldPath, jsonOf } from "@kaji/core";
import type { DynamicObject, FieldError, JsonObject, JsonValue } from "@kaji/core";
import { Correlation } from "./correlation.ts";
import type { CrdScale } from "../definition/crd.ts";
import { validateEmbedded } from "../schema/embedded-objects.ts";
import { validateListTypes } from "./list-type-validation.ts";
import { validateScale, validateScaleStatus } from "../definition/scale-paths.ts";
import { fieldErrorOf } from "./schema-problem.ts";
import { evaluateRules } from "../rules/rule-evaluation.ts";
import { compileRules } from "../rules/rule-node.ts";
import type { RuleNode } from "../rules/rule-node.ts";
import { RuleRatchet } from "../rules/rule-ratchet.ts";
import type { StructuralNode } from "../schema/structural-node.ts";
import { propertyOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";
import { ValueValidator } from "./value-validator.ts";

/** What the objects of one version of a custom kind are checked by. */
export interface CustomRules {
  readonly schema: JsonSchemaProps;
  readonly node: StructuralNode;
  readonly scale: CrdScale | undefined;
}

type Warn = (text: string) => void;

/** Says what is wrong with an object of a custom kind, besides its metadata. */
export class CustomValidation {
  readonly #values: ValueValidator;
  readonly #status: ValueValidator | undefined;
  readonly #node: StructuralNode;
  readonly #scale: CrdScale | undefined;
  /** The CEL rules of the schema. */
  readonly #rules: RuleNode | undefined;

  constructor({ schema, node, scale }: CustomRules) {
    const status = propertyOf(schema, "status");
    this.#values = new ValueValidator(schema);
    this.#status = status === undefined ? undefined : new ValueValidator(status);
    this.#node = node;
    this.#scale = scale;
    this.#rules = compileRules(schema, "resource");
  }

  /** A new object. */
  create(object: DynamicObject): readonly FieldError[] {
    const value = jsonOf(object);
    const errors = [
      ...this.#valueErrors(value, undefined),
      ...validateScale(value, this.#scale),
      ...this.#embeddedErrors(value),
      ...validateListTypes(value, this.#node, FieldPath.root),
    ];
    return this.#withRules(errors, value, undefined, () => {});
  }

  /** A changed object: what was wrong before is tolerated where it has not changed, though rules that are broken are worth a warning. */
  update(object: DynamicObject, old: DynamicObject, warn: Warn): readonly FieldError[] {
    const value = jsonOf(object);
    const errors = [
      ...this.#valueErrors(value, new Correlation(jsonOf(old), this.#node)),
      ...validateScale(value, this.#scale),
      ...this.#embeddedErrors(value),
      ...this.#newListErrors(value, jsonOf(old)),
    ];
    return this.#withRules(errors, value, jsonOf(old), warn);
  }

  /** A changed status. */
  updateStatus(object: DynamicObject, old: DynamicObject, warn: Warn): readonly FieldError[] {
    const value = jsonOf(object);
    const { status } = value;
    const before = new Correlation(jsonOf(old), this.#node).field("status");
    const problems = status === undefined || this.#status === undefined ? [] : this.#status.validate(status, before).problems;
    const errors = [
      ...problems.map((problem) => fieldErrorOf(problem, "status")),
      ...validateScaleStatus(value, this.#scale),
      ...this.#newListErrors(value, jsonOf(old)),
    ];
    return this.#withRules(errors, value, jsonOf(old), warn);
  }

  #valueErrors(value: JsonValue, old: Correlation | undefined): readonly FieldError[] {
    return this.#values.validate(value, old).problems.map((problem) => fieldErrorOf(problem, undefined));
  }

  #embeddedErrors(value: JsonObject): readonly FieldError[] {
    return this.#node.within.embedded ? validateEmbedded(value, this.#node, FieldPath.root) : [];
  }

  #newListErrors(value: JsonObject, old: JsonObject): readonly FieldError[] {
    const errors = validateListTypes(value, this.#node, FieldPath.root);
    return errors.length > 0 && validateListTypes(old, this.#node, FieldPath.root).length === 0 ? errors : [];
  }

  /** Rules are evaluated only on objects of the right shape; on others there is a word on that. */
  #withRules(errors: readonly FieldError[], object: JsonObject, old: JsonObject | undefined, warn: Warn): readonly FieldError[] {
    if (this.#rules === undefined) return errors;
    if (errors.some(({ type }) => blocking.has(type))) return [...errors, rulesNotChecked];
    const ratchet = old === undefined ? RuleRatchet.none : new RuleRatchet(new Correlation(old, this.#node), object);
    const broken = evaluateRules(this.#rules, object, old, ratchet);
    for (const { field, body } of broken.tolerated) warn(`${field}: ${body}`);
    return [...errors, ...broken.errors];
  }
}

/** After these it is not certain that a rule can be evaluated at all. */
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
