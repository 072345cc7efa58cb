import { FieldPath, forbiddenField, invalidValue, structuralEqual, tooLong } from "@kaji/core";
import type { DynamicObject, FieldError } from "@kaji/core";
import { booleanField, field, objectField, stringMapField } from "../json-fields.ts";
import type { KindDetails } from "../kind-details.ts";
import { finalizerNameErrors, metadataErrorsAgain, metadataUpdateErrors, subdomainName } from "../metadata-validation.ts";
import { ageColumn, nameColumn } from "../name-and-age.ts";
import { configKeyProblems } from "../scalar-rules.ts";

/** As much as an object of this kind may hold, and as Secrets may. */
export const mostDataBytes: number = 1024 * 1024;

/** How the real server names the object as a whole here. */
const namelessPath = FieldPath.root.key("");

/** ConfigMaps. */
export const configMapDetails: KindDetails = {
  strategy: {
    validateName: subdomainName,
    validateCreate: (map) => [...finalizerNameErrors(map), ...dataErrors(map)],
    validateUpdate: (map, old) => [
      ...metadataUpdateErrors(map, old),
      ...immutableErrors(map, old, ["data", "binaryData"]),
      ...metadataErrorsAgain(map, subdomainName),
      ...dataErrors(map),
    ],
  },
  columns: [
    nameColumn,
    {
      name: "Data",
      type: "string",
      description: "how many entries there are",
      cell: (map) => Object.keys(objectField(map, "data")).length + Object.keys(objectField(map, "binaryData")).length,
    },
    ageColumn,
  ],
};

/** What is wrong with a change of an object that said it would not change. */
export function immutableErrors(object: DynamicObject, old: DynamicObject, names: readonly string[]): readonly FieldError[] {
  if (!booleanField(old, "immutable")) return [];
  const changed = names.filter((name) => !structuralEqual(field(object, name), field(old, name)));
  return [...(booleanField(object, "immutable") ? [] : ["immutable"]), ...changed].map((name) =>
    forbiddenField(FieldPath.of(name), "field is immutable when `immutable` is set"),
  );
}

function dataErrors(map: DynamicObject): readonly FieldError[] {
  const [data, binaryData] = [stringMapField(map, "data"), stringMapField(map, "binaryData")];
  const texts = Object.entries(data).flatMap(([key, _value]) => {
    const path = FieldPath.of("data").key(key);
    const again = Object.hasOwn(binaryData, key) ? [invalidValue(path, key, "duplicate of key present in binaryData")] : [];
    return [...keyErrors(key, path), ...again];
  });
  const binaries = Object.keys(binaryData).flatMap((key) => keyErrors(key, FieldPath.of("binaryData").key(key)));
  const textBytes = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  const isTooLong = textBytes + bytesIn(binaryData) > mostDataBytes;
  return [...texts, ...binaries, ...(isTooLong ? [tooLong(namelessPath, mostDataBytes)] : [])];
}

/** How many bytes texts in base64 stand for. */
export function bytesIn(encoded: Readonly<Record<string, string>>): number {
  return Object.values(encoded).reduce((sum, text) => sum + Buffer.byteLength(text, "base64"), 0);
}

/** What is wrong with the key of an entry. */
export function keyErrors(key: string, path: FieldPath): readonly FieldError[] {
  return configKeyProblems(key).map((problem) => invalidValue(path, key, problem));
}
