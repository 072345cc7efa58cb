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
