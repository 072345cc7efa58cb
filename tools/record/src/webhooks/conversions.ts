import { isJsonObject } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";

/** Takes shirts from one version to another: `spec.color` of v1 is `spec.colour` in v2. */
export type Conversion = (objects: readonly JsonObject[], apiVersion: string) => JsonObject;

const converted = (objects: readonly JsonValue[]): JsonObject => ({ result: { status: "Success" }, convertedObjects: objects });

const each =
  (change: (object: JsonObject, metadata: JsonObject) => JsonObject): Conversion =>
  (objects, apiVersion) =>
    converted(
      objects.map((object) => {
        const next = respelled(object, apiVersion);
        return { ...next, ...change(next, asObject(next["metadata"] ?? null)) };
      }),
    );

/** By the name of the webhook that does it, well or badly. */
export const conversions: Readonly<Record<string, Conversion>> = {
  convert: each(() => ({})),
  "convert-labels": each((_object, metadata) => ({
    metadata: { ...metadata, labels: { converted: "yes" }, annotations: { note: "seen" }, finalizers: ["not.kept/here"] },
  })),
  "convert-name": each((_object, metadata) => ({ metadata: { ...metadata, name: "another" } })),
  "convert-namespace": each((_object, metadata) => ({ metadata: { ...metadata, namespace: "elsewhere" } })),
  "convert-uid": each((_object, metadata) => ({ metadata: { ...metadata, uid: "changed" } })),
  "convert-kind": each(() => ({ kind: "Trousers" })),
  "convert-version": each(() => ({ apiVersion: "other.example.com/v9" })),
  "convert-bad-label": each((_object, metadata) => ({ metadata: { ...metadata, labels: { "not a label!": "x" } } })),
  "convert-odd-label": each((_object, metadata) => ({ metadata: { ...metadata, labels: { odd: 1 } } })),
  "convert-no-metadata": (objects, apiVersion) =>
    converted(objects.map((object) => ({ apiVersion, kind: object["kind"] ?? "", spec: object["spec"] ?? {} }))),
  "convert-nothing": () => converted([]),
  "convert-refuse": () => ({ result: { status: "Failure", message: "cannot be converted" } }),
  "convert-silent": () => ({ result: { status: "Failure" } }),
  "convert-wrong-uid": (objects) => ({ ...converted(objects), uid: "another" }),
};

function respelled({ spec, ...object }: JsonObject, apiVersion: string): JsonObject {
  const { color, colour, ...rest } = asObject(spec ?? null);
  const given = color ?? colour;
  const name = apiVersion.endsWith("/v1") ? "color" : "colour";
  return { ...object, apiVersion, spec: given === undefined ? rest : { ...rest, [name]: given } };
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
