import assert from "node:assert/strict";
import { test } from "node:test";
import type { ObjectOf } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import type { EnvVar, PodTemplateSpec } from "./generated/core/v1.ts";
import { schemaOf } from "./schemas.ts";

const containers = [{ name: "web", image: "nginx:1.29" }];

const Fleet = defineResource({
  group: "types.kaji.test",
  version: "v1",
  kind: "Fleet",
  spec: z.object({
    template: schemaOf("core.v1.PodTemplateSpec")
      .describe("What runs.")
      .meta({ example: { spec: { containers } } }),
    resources: schemaOf("core.v1.ResourceRequirements").optional(),
    env: z.array(schemaOf("core.v1.EnvVar")).default([]),
  }),
});

test("the name decides on the type", () => {
  const template: PodTemplateSpec = schemaOf("core.v1.PodTemplateSpec").parse({ spec: { containers } });
  assert.deepEqual(template, { spec: { containers } });
  const read = ({ spec }: ObjectOf<typeof Fleet>): readonly [PodTemplateSpec, readonly EnvVar[]] => [spec.template, spec.env];
  assert.deepEqual(read(Fleet.sample()), [{ spec: { containers } }, []]);
  // @ts-expect-error -- a field of that name there is not
  assert.equal(template.sepc, undefined);
  // @ts-expect-error -- a struct of that name there is not
  assert.throws(() => schemaOf("core.v1.PodTemplate_"), /there is no such struct/);
  // @ts-expect-error -- a schema that contains itself has no end
  assert.throws(() => schemaOf("apiextensions.v1.JSONSchemaProps"), /apiextensions\.v1\.JSONSchemaProps contains itself/);
  // @ts-expect-error -- nor has one that contains such a one
  assert.throws(() => schemaOf("apiextensions.v1.CustomResourceDefinitionSpec"), /apiextensions\.v1\.JSONSchemaProps contains itself/);
});

test("it is one part of a definition, like any other", () => {
  const { properties = {}, required } = Fleet.openApiSchema.properties?.["spec"] ?? {};
  assert.deepEqual(required, ["template"]);
  assert.equal(properties["template"]?.description, "What runs.");
  assert.deepEqual(properties["template"]?.properties?.["spec"]?.required, ["containers"]);
  assert.equal(properties["template"]?.["x-kubernetes-preserve-unknown-fields"], undefined);
  assert.equal(properties["resources"]?.title, "core.v1.ResourceRequirements");
  assert.deepEqual(properties["env"]?.items?.required, ["name"]);
});

test("a program checks it as the server does, and keeps what the server keeps", () => {
  const metadata = { name: "a", namespace: "default" };
  const ports = [{ containerPort: 80 }];
  const kept = Fleet.parse({ metadata, spec: { template: { spec: { containers: [{ name: "web", imag: "nginx", ports }] } } } });
  assert.deepEqual(kept.spec.template.spec?.containers, [{ name: "web", ports: [{ containerPort: 80, protocol: "TCP" }] }]);
  const errors = Fleet.validate({ metadata, spec: { template: { spec: { containers: [{ image: "nginx" }] } } } });
  assert.deepEqual(
    errors.map(({ field }) => field),
    ["spec.template.spec.containers[0].name"],
  );
});
