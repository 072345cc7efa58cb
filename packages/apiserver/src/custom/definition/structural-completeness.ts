import { required } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";
import { itemsOf, propertiesOf, propertyOf } from "../schema/structural-schema.ts";
import type { JsonSchemaProps } from "../schema/structural-schema.ts";

/** Fields that conditions speak of but the schema does not declare. */
export function completenessErrors(schema: JsonSchemaProps, path: FieldPath): readonly FieldError[] {
  return conditionsOf(schema, path).flatMap(([condition, at]) => missing(condition, schema, at, path));
}

/** The schemas inside of `anyOf` and its like, with where they stand. */
function conditionsOf(
  { not, allOf = [], anyOf = [], oneOf = [] }: JsonSchemaProps,
  path: FieldPath,
): readonly (readonly [JsonSchemaProps, FieldPath])[] {
  const listed = Object.entries({ allOf, anyOf, oneOf }).flatMap(([name, schemas]) =>
    schemas.map((schema, index) => [schema, path.child(name).index(index)] as const),
  );
  return not === undefined ? listed : [[not, path.child("not")], ...listed];
}

function missing(condition: JsonSchemaProps, schema: JsonSchemaProps | undefined, at: FieldPath, path: FieldPath): readonly FieldError[] {
  if (schema === undefined) return [required(path, `because it is defined in ${at}`)];
  const errors = conditionsOf(condition, at).flatMap(([nested, nestedAt]) => missing(nested, schema, nestedAt, path));
  const items = itemsOf(condition);
  if (items !== undefined) errors.push(...missing(items, itemsOf(schema), at.child("items"), path.child("items")));
  for (const [name, property] of propertiesOf(condition)) {
    errors.push(...missing(property, propertyOf(schema, name), at.child("properties").key(name), path.child("properties").key(name)));
  }
  return errors;
}
