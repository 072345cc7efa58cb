import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@kaji/core";
import type { JsonValue } from "@kaji/core";
import { coerceMetadata } from "./metadata-coercion.ts";

test("[CRD9] what is known is kept, what is empty is left out, times are canonical", () => {
  const { metadata, unknownFields } = coerceMetadata(
    {
      name: "a",
      namespace: "",
      generation: 0,
      labels: { x: "y", n: null },
      annotations: {},
      finalizers: [],
      creationTimestamp: "2026-01-01T01:00:00.5+01:00",
      deletionTimestamp: null,
      deletionGracePeriodSeconds: 0,
      ownerReferences: [{ name: "o", controller: false }],
      managedFields: [{ manager: "m", time: "2026-01-01T00:00:00Z", fieldsV1: { "f:spec": {} }, subresource: "" }],
    },
    "metadata",
  );
  assert.deepEqual(unknownFields, []);
  assert.deepEqual(metadata, {
    name: "a",
    labels: { x: "y", n: "" },
    creationTimestamp: "2026-01-01T00:00:00Z",
    deletionGracePeriodSeconds: 0,
    ownerReferences: [{ apiVersion: "", kind: "", name: "o", uid: "", controller: false }],
    managedFields: [{ manager: "m", time: "2026-01-01T00:00:00Z", fieldsV1: { "f:spec": {} } }],
  });
});

test("[CRD9] what is not known is reported with its path", () => {
  const given = parseJson('{"b":1,"a":2,"ownerReferences":[{"foo":1}],"__proto__":{"name":"x"}}');
  const { metadata, unknownFields } = coerceMetadata(given, "spec.template.metadata");
  assert.deepEqual(
    unknownFields,
    ["__proto__", "a", "b", "ownerReferences[0].foo"].map((field) => `spec.template.metadata.${field}`),
  );
  assert.equal(metadata["name"], undefined);
});

test("[CRD9] what is of the wrong type is refused in Go's words, the first by name", () => {
  const refusals: readonly (readonly [JsonValue, string])[] = [
    ["x", "json: cannot unmarshal string into Go value of type v1.ObjectMeta"],
    [[], "json: cannot unmarshal array into Go value of type v1.ObjectMeta"],
    [{ name: 1, labels: { a: 1 } }, "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"],
    [{ labels: [] }, "json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string"],
    [{ uid: true }, "json: cannot unmarshal bool into Go struct field ObjectMeta.uid of type types.UID"],
    [{ generation: 1.5 }, "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64"],
    [{ finalizers: [1] }, "json: cannot unmarshal number into Go struct field ObjectMeta.finalizers of type string"],
    [{ ownerReferences: {} }, "json: cannot unmarshal object into Go struct field ObjectMeta.ownerReferences of type []v1.OwnerReference"],
    [{ ownerReferences: [1] }, "json: cannot unmarshal number into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference"],
    [
      { ownerReferences: [{ name: 1 }] },
      "json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string",
    ],
    [{ creationTimestamp: 1 }, "json: cannot unmarshal number into Go value of type string"],
    [{ creationTimestamp: "x" }, 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
  ];
  for (const [value, message] of refusals) assert.throws(() => coerceMetadata(value, "metadata"), { name: "DecodeError", message });
});
