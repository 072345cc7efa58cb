import { aggregateMessage } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import { FieldPath } from "../error/field-path.ts";
import type { JsonValue } from "../json/json.ts";
import { isWhole, normalize } from "./normalize.ts";
import type { SchemaPlace } from "./schema-place.ts";
import { entrySchema, propertyOf, schemaAt } from "./structural-schema.ts";
import type { StructuralSchema, ValidationRule } from "./structural-schema.ts";
import { compileSchema } from "./validate-schema.ts";

/** Reports what the API server would refuse a schema for, though each construct in it has a structural form. */
export function checkStructure(schema: StructuralSchema, place: SchemaPlace, correlatable = true): void {
  if (schema.default !== undefined) checkValue("default", schema.default, schema, place);
  if (schema.example !== undefined) checkValue("example", schema.example, schema, place);
  for (const rule of schema["x-kubernetes-validations"] ?? []) checkRule(rule, schema, place, correlatable);
  checkLimits(schema, place);
  checkRoom(schema, place);
  if (schema["x-kubernetes-list-type"] === "set") checkSet(schema, place);
  if (schema["x-kubernetes-list-type"] === "map") checkListMap(schema, place);
  const within = correlatable && schema["x-kubernetes-map-type"] !== "atomic";
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (name === "__proto__") place.report('a field cannot be called "__proto__"');
    checkStructure(property, place.field(name), within);
  }
  const entry = entrySchema(schema);
  if (entry !== undefined) checkStructure(entry, place.each(), within);
  if (schema.items !== undefined) checkStructure(schema.items, place.each(), correlatable && schema["x-kubernetes-list-type"] === "map");
}

function checkValue(what: "default" | "example", value: JsonValue, schema: StructuralSchema, place: SchemaPlace): void {
  const errors: FieldError[] = [];
  const kept = normalize(value, schema) as JsonValue;
  compileSchema(schema)(kept, FieldPath.of(...place.path.split(".")), errors);
  if (errors.length > 0) place.report(`the ${what} is not valid: ${aggregateMessage(errors)}`);
  else if (!isWhole(value, kept)) place.report(`the ${what} has fields that the schema does not have`);
}

function checkRule(rule: ValidationRule, schema: StructuralSchema, place: SchemaPlace, correlatable: boolean): void {
  if (rule.rule.trim() === "") place.report("a rule must not be empty");
  if (/[\n\r]/.test(rule.message ?? "")) place.report(`the message of the rule ${rule.rule} must be one line`);
  if (/[\n\r]/.test(rule.rule) && rule.message === undefined) place.report(`the rule ${rule.rule} has several lines and needs a message`);
  if (rule.fieldPath !== undefined && schemaAt(schema, rule.fieldPath.slice(1)) === undefined) {
    place.report(`the rule ${rule.rule} blames ${rule.fieldPath}, which is not a field`);
  }
  const comparesOld = /\boldSelf\b/.test(rule.rule);
  if (comparesOld && !correlatable) {
    place.report(
      `the rule ${rule.rule} cannot find the old value inside a list or an atomic map; use k.listMap(…), or put the rule on the list itself`,
    );
  }
  if (!comparesOld && rule.optionalOldSelf === true) place.report(`the rule ${rule.rule} has optionalOldSelf, but does not use oldSelf`);
  if (schema.type === undefined && schema["x-kubernetes-int-or-string"] !== true)
    place.report("a rule cannot look into a value of any type");
}

/** Fields with a default are always there: where a value may have no more than those, the others are never possible. */
function checkRoom({ properties = {}, required = [], maxProperties = Infinity }: StructuralSchema, place: SchemaPlace): void {
  const filled = Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
  const always = new Set([...filled, ...required]);
  const [first] = filled;
  if (first === undefined || always.size < maxProperties || always.size === Object.keys(properties).length) return;
  place
    .field(first)
    .report(`the default leaves no room for the other fields, of which there may be ${maxProperties} in all; leave .default() out`);
}

function checkLimits(schema: StructuralSchema, place: SchemaPlace): void {
  const limits = [
    [schema.minimum, schema.maximum],
    [schema.minLength, schema.maxLength],
    [schema.minItems, schema.maxItems],
    [schema.minProperties, schema.maxProperties],
  ];
  for (const [least = -Infinity, most = Infinity] of limits) {
    if (least > most) place.report(`nothing is at least ${least} and at most ${most}`);
  }
}

function checkSet({ items = {} }: StructuralSchema, place: SchemaPlace): void {
  if (items.nullable === true) place.report("an item of a k.set() cannot be null");
  const whole =
    items.type === "object"
      ? items["x-kubernetes-map-type"]
      : items.type === "array"
        ? (items["x-kubernetes-list-type"] ?? "atomic")
        : "atomic";
  if (whole !== "atomic") place.report("an item of a k.set() must be one value: put .check(k.atomic()) on it, or use k.listMap(…)");
}

function checkListMap(schema: StructuralSchema, place: SchemaPlace): void {
  const { items = {} } = schema;
  if (items.type !== "object") place.report("an item of a k.listMap() must be an object");
  if (items.nullable === true) place.report("an item of a k.listMap() cannot be null");
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const property = propertyOf(items, key);
    if (property === undefined) place.report(`the key "${key}" is not a field of the items`);
    else if (property.type === "object" || property.type === "array") place.report(`the key "${key}" must be a scalar`);
    else if (property.nullable === true) place.report(`the key "${key}" cannot be null`);
    else if (items.required?.includes(key) !== true && property.default === undefined) {
      place.report(`the key "${key}" must be required or have a default`);
    }
  }
}
