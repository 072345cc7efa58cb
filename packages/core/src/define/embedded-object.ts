import { invalidValue, required } from "../error/field-error.ts";
import type { FieldError } from "../error/field-error.ts";
import type { FieldPath } from "../error/field-path.ts";
import { dns1035LabelErrors } from "../object/names.ts";

/** Checks the type of an API object inside another one: both its parts must be there. */
export function validateEmbeddedType(object: Readonly<Record<string, unknown>>, path: FieldPath): readonly FieldError[] {
  return [
    ...validatePart(object, path, "apiVersion", (apiVersion) =>
      apiVersion.split("/").length > 2 ? [`unexpected GroupVersion string: ${apiVersion}`] : [],
    ),
    ...validatePart(object, path, "kind", (kind) => {
      const errors = dns1035LabelErrors(kind.toLowerCase());
      return errors.length === 0 ? [] : [`may have mixed case, but should otherwise match: ${errors.join(",")}`];
    }),
  ];
}

function validatePart(
  object: Readonly<Record<string, unknown>>,
  path: FieldPath,
  name: "apiVersion" | "kind",
  syntaxErrors: (text: string) => readonly string[],
): readonly FieldError[] {
  if (!Object.hasOwn(object, name)) return [required(path.child(name))];
  const value = object[name];
  if (typeof value !== "string") return [invalidValue(path.child(name), value, "must be a string")];
  const errors = value === "" ? ["must not be empty"] : syntaxErrors(value);
  return errors.map((error) => invalidValue(path.child(name), value, error));
}
