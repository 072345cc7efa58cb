import { FieldPath, aggregateMessage, invalidValue, isJsonObject, structuralEqual } from "@kaji/core";
import type { FieldError, JsonValue } from "@kaji/core";
import { EmbeddedObjectError, coerceEmbedded, validateEmbedded } from "../schema/embedded-objects.ts";
import { pruneObject, pruneValue } from "../schema/pruning.ts";
import { evaluateRulesOnDefault } from "../rules/rule-evaluation.ts";
import { compileRules } from "../rules/rule-node.ts";
import { fieldErrorOf } from "../value/schema-problem.ts";
import { sortedJson } from "../schema/sorted-json.ts";
import { StructuralNode } from "../schema/structural-node.ts";
import { itemsOf, propertiesOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";
import { ValueValidator } from "../value/value-validator.ts";

/** What is wrong with the defaults of a structural schema: each must be valid by the schema it stands in, its rules included, and have no unknown field. */
export function validateDefaults(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  return defaultErrors({ ...schema, "x-kubernetes-embedded-resource": true }, path, { root: schema, surround: typed, inMetadata: false });
}

interface Place {
  /** The object, embedded or not, that the schema is a part of. */
  readonly root: JsonSchemaProps;
  /** Makes such an object around a value. */
  readonly surround: (value: JsonValue) => JsonValue;
  /** Whether the value is a part of the type or metadata of that object. */
  readonly inMetadata: boolean;
}

function defaultErrors(schema: JsonSchemaProps, path: FieldPath, outer: Place): readonly FieldError[] {
  const isObject = schema["x-kubernetes-embedded-resource"] === true;
  const place: Place = isObject ? { root: schema, surround: typed, inMetadata: false } : outer;
  const { default: given } = schema;
  const items = itemsOf(schema);
  const errors: FieldError[] = [];
  if (given !== undefined && given !== null) {
    errors.push(...(place.inMetadata ? errorsInMetadata(given, schema, path, place) : errorsOf(given, schema, path)));
  }
  if (items !== undefined) {
    errors.push(...defaultErrors(items, path.child("items"), { ...place, surround: (value) => place.surround([value]) }));
  }
  for (const [name, property] of propertiesOf(schema)) {
    const inMetadata = place.inMetadata || (isObject && (name === "metadata" || name === "apiVersion" || name === "kind"));
    const surround = (value: JsonValue): JsonValue => place.surround({ [name]: value });
    errors.push(...defaultErrors(property, path.child("properties").key(name), { ...place, surround, inMetadata }));
  }
  return errors;
}

function errorsOf(value: JsonValue, schema: JsonSchemaProps, schemaPath: FieldPath): readonly FieldError[] {
  const path = schemaPath.child("default");
  const node = new StructuralNode(schema);
  const pruned = node.embedded && isJsonObject(value) ? pruneObject(value, node).value : pruneValue(value, node);
  const unknown = structuralEqual(pruned, value) ? [] : [invalidValue(path, sortedJson(value), "must not have unknown fields")];
  try {
    const coerced = coerceEmbedded(value, node, path).value;
    const embedded = validateEmbedded(coerced, node, path);
    return [...unknown, ...(embedded.length > 0 ? embedded : schemaErrors(coerced, schema, path))];
  } catch (error) {
    if (error instanceof EmbeddedObjectError) return [...unknown, error.error];
    throw error;
  }
}

/** A part of metadata is judged by what the metadata would be with it. */
function errorsInMetadata(
  value: JsonValue,
  schema: JsonSchemaProps,
  schemaPath: FieldPath,
  { root, surround }: Place,
): readonly FieldError[] {
  const path = schemaPath.child("default");
  const node = new StructuralNode(root);
  const refused = (why: string): readonly FieldError[] => [invalidValue(path, sortedJson(value), `must result in valid metadata: ${why}`)];
  try {
    const errors = validateEmbedded(coerceEmbedded(surround(value), node).value, node, FieldPath.root);
    return errors.length > 0 ? refused(aggregateMessage(errors)) : schemaErrors(value, schema, path);
  } catch (error) {
    if (error instanceof EmbeddedObjectError) return refused(error.message);
    throw error;
  }
}

function schemaErrors(value: JsonValue, schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  const { problems } = new ValueValidator(schema, "Default").validate(value);
  if (problems.length > 0) return problems.map((problem) => fieldErrorOf(problem, path.toString()));
  const rules = compileRules(schema, schema["x-kubernetes-embedded-resource"] === true ? "resource" : "part");
  return rules === undefined ? [] : evaluateRulesOnDefault(rules, path, value);
}

/** An object must name its type to be one. */
function typed(value: JsonValue): JsonValue {
  return isJsonObject(value) ? { apiVersion: "validation/v1", kind: "Validation", ...value } : value;
}
