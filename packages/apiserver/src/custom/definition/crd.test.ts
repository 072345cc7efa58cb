import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject } from "@kaji/core";
import { crdDefaults } from "./crd-defaults.ts";
import { asCrd } from "./crd.ts";
import { validateCrd } from "./crd-validation.ts";

test("[CRD10] what a definition lacks is empty, and refused rather than stumbled over", () => {
  const about = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "things.example.com" } };
  const incomplete: readonly DynamicObject[] = [
    about,
    { ...about, spec: null },
    { ...about, spec: {} },
    { ...about, spec: { group: "example.com", names: null, scope: "Cluster", versions: null } },
    { ...about, spec: { names: { kind: "Thing" }, versions: [] }, status: {} },
  ];
  for (const object of incomplete) assert.ok(validateCrd(asCrd(crdDefaults(object))).length > 2);
});

test("[CRD10] versions that are not given are shown as null, and an empty list as such", () => {
  const complaint = (spec: object): string | undefined => {
    const about = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "things.example.com" } };
    return validateCrd(asCrd(crdDefaults({ ...about, spec }))).find(({ field }) => field === "spec.versions")?.body;
  };
  const rule = "must have exactly one version marked as storage version";
  assert.deepEqual(
    [complaint({}), complaint({ versions: null }), complaint({ versions: [] })],
    [`Invalid value: null: ${rule}`, `Invalid value: null: ${rule}`, `Invalid value: []: ${rule}`],
  );
});

test("[CRD1] a webhook for conversion of which nothing is said is refused for what it lacks", () => {
  const about = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "things.example.com" } };
  const complaints = (strategy: string): readonly string[] => {
    const conversion = { strategy, webhook: { conversionReviewVersions: null } };
    const errors = validateCrd(asCrd(crdDefaults({ ...about, spec: { conversion } })));
    return errors.map(({ field, body }) => `${field}: ${body}`).filter((text) => text.startsWith("spec.conversion"));
  };
  assert.deepEqual(complaints("Webhook"), [
    "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
    "spec.conversion.conversionReviewVersions: Required value",
  ]);
  assert.deepEqual(complaints("None"), []);
});

test("[CRD6] rules in a part without a type cannot be compiled, nor those within it; what is wrong elsewhere is in nobody's way", () => {
  const wrongIn = (part: object): readonly string[] => {
    const about = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "things.example.com" } };
    const schema = { openAPIV3Schema: { type: "object", properties: { part } } };
    const versions = [{ name: "v1", served: true, storage: true, schema }];
    const spec = { group: "example.com", scope: "Cluster", names: { plural: "things", kind: "Thing" }, versions };
    const errors = validateCrd(asCrd(crdDefaults({ ...about, spec })));
    return errors.map(({ type, field }) => `${type} ${field.replace(/^.*properties\[part\]\.?/, "")}`);
  };
  const rules = { "x-kubernetes-validations": [{ rule: "self.missing" }] };
  const inner = { type: "object", properties: { a: { type: "string" } }, ...rules };
  const untyped = { "x-kubernetes-preserve-unknown-fields": true, properties: { inner } };
  const at = "properties[inner].x-kubernetes-validations";
  assert.deepEqual(wrongIn({ ...untyped, ...rules }), [`InternalError ${at}`, "InternalError x-kubernetes-validations"]);
  assert.deepEqual(wrongIn(untyped), [`FieldValueInvalid ${at}[0].rule`]);
  const misspelt = { type: "objekt", properties: { inner }, ...rules };
  assert.deepEqual(wrongIn(misspelt), ["FieldValueNotSupported type", `InternalError ${at}`]);
  const beside = { type: "object", properties: { inner, other: { type: "objekt" } }, ...rules };
  assert.deepEqual(wrongIn(beside), ["FieldValueNotSupported properties[other].type", `FieldValueInvalid ${at}[0].rule`]);
  const changed = { type: "string", "x-kubernetes-validations": [{ rule: "self == oldSelf" }] };
  const oddMap = { type: "object", "x-kubernetes-map-type": "odd", properties: { changed } };
  const inOddMap = "FieldValueInvalid properties[changed].x-kubernetes-validations[0].rule";
  assert.deepEqual(wrongIn(oddMap), ["FieldValueNotSupported x-kubernetes-map-type", inOddMap]);
});

test("[CRD1] the name of a definition is that of a domain, and an empty version is wrong in its own place only", () => {
  const problems = (name: string, group: string, version: string): readonly string[] => {
    const about = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name } };
    const versions = [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }];
    const spec = { group, scope: "Cluster", names: { plural: "things", kind: "Thing" }, versions };
    return validateCrd(asCrd(crdDefaults({ ...about, spec }))).map(
      ({ field, body }) => `${field}: ${body.replace(/ must consist of .*/, "")}`,
    );
  };
  assert.deepEqual(problems("things.", "", ""), [
    'metadata.name: Invalid value: "things.": a lowercase RFC 1123 subdomain',
    "spec.group: Required value",
    'spec.versions[0].name: Invalid value: "": a DNS-1035 label',
  ]);
  assert.deepEqual(problems("Things.example.com", "example.com", "v1"), [
    'metadata.name: Invalid value: "Things.example.com": a lowercase RFC 1123 subdomain',
    'metadata.name: Invalid value: "Things.example.com": must be spec.names.plural+"."+spec.group',
  ]);
});

test("[CRD10] dependencies are refused even where there are none", () => {
  const complaints = (schema: object): readonly string[] => {
    const about = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "things.example.com" } };
    const versions = [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", ...schema } } }];
    const spec = { group: "example.com", scope: "Cluster", names: { plural: "things", kind: "Thing" }, versions };
    return validateCrd(asCrd(crdDefaults({ ...about, spec }))).map(({ body }) => body);
  };
  assert.deepEqual(complaints({ dependencies: {} }), ["Forbidden: dependencies is not supported"]);
  assert.deepEqual(complaints({ definitions: {}, patternProperties: {} }), []);
});
