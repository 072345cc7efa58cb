import assert from "node:assert/strict";
import { test } from "node:test";
import { schemaChanges } from "./schema-changes.ts";

test("what changed in a schema is said by version, field and keyword, and everything else as it is", () => {
  const schema = "spec.versions[v1].schema.openAPIV3Schema";
  const said = schemaChanges([
    `${schema}.properties.spec.required`,
    `${schema}.properties.spec.properties.replicas.default`,
    `${schema}.properties.spec.properties.replicas.maximum`,
    `${schema}.properties.spec.properties.pages.additionalProperties.items.properties.type.enum`,
    `${schema}.properties.spec.properties.gone`,
    `${schema}.properties.spec.x-kubernetes-validations[0].rule`,
    `${schema}.description`,
    "spec.versions[v1].additionalPrinterColumns[Replicas].type",
  ]);
  assert.deepEqual(said, [
    "v1 spec (required, x-kubernetes-validations)",
    "v1 spec.replicas (default, maximum)",
    "v1 spec.pages[*][*].type (enum)",
    "v1 spec.gone",
    "v1 the object (description)",
    "spec.versions[v1].additionalPrinterColumns[Replicas].type",
  ]);
});
