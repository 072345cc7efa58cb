import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineResource } from "./define-resource.ts";
import * as k from "./k.ts";

const source = k.oneOf({ git: z.object({ url: z.string() }), image: z.string(), "oci-tar": z.string() });
const all = "git, image, oci-tar";

const Site = defineResource({
  group: "define.kaji.dev",
  version: "v1",
  kind: "Site",
  spec: z.object({
    source: source.optional(),
    few: z.array(source).max(10).optional(),
    byName: z
      .record(z.string(), source)
      .check(k.properties({ max: 10 }))
      .optional(),
    many: z.array(source).optional(),
    free: k.oneOf({ any: z.unknown(), text: z.string() }).optional(),
  }),
});

function said(spec: object): readonly string[] {
  return Site.validate({ metadata: { name: "a", namespace: "default" }, spec }).map(({ field, body }) => `${field}: ${body}`);
}

test("[DEF16] none of the fields of a union, or several, are told by their names", () => {
  assert.deepEqual(said({ source: { image: "a" } }), []);
  assert.deepEqual(said({ source: {} }), [`spec.source: Required value: must have exactly one of ${all}, and has none`]);
  const beside = `Forbidden: only one of ${all} may be set`;
  assert.deepEqual(said({ source: { git: { url: "a" }, "oci-tar": "b" } }), [
    `spec.source.git: ${beside}`,
    `spec.source.oci-tar: ${beside}`,
  ]);
  assert.deepEqual(said({ few: [{ image: "a" }, {}], byName: { a: {} } }), [
    `spec.few[1]: Required value: must have exactly one of ${all}, and has none`,
    `spec.byName[a]: Required value: must have exactly one of ${all}, and has none`,
  ]);
});

test("[DEF16] as with all rules, nothing is told of it where an object is wrong otherwise", () => {
  assert.deepEqual(said({ source: { git: {}, image: "a" } }), ["spec.source.git.url: Required value"]);
});

test("[DEF16] a server is told by rules, but where these would cost too much or know too little", () => {
  const { properties = {} } = Site.crd().spec.versions[0]?.schema.openAPIV3Schema.properties?.["spec"] ?? {};
  const bounds = { minProperties: 1, maxProperties: 1 };
  assert.partialDeepStrictEqual([properties["many"]?.items, properties["free"]], [bounds, bounds]);
  const { minProperties, maxProperties, "x-kubernetes-validations": rules } = properties["source"] ?? {};
  assert.deepEqual([minProperties, maxProperties], [undefined, undefined]);
  assert.deepEqual(rules?.slice(0, 2), [
    {
      rule: "has(self.git) || has(self.image) || has(self.oci__dash__tar)",
      message: `must have exactly one of ${all}, and has none`,
      reason: "FieldValueRequired",
    },
    {
      rule: "!has(self.git) || !(has(self.image) || has(self.oci__dash__tar))",
      message: `only one of ${all} may be set`,
      reason: "FieldValueForbidden",
      fieldPath: ".git",
    },
  ]);
  assert.deepEqual(said({ many: [{}] }), ["spec.many[0]: Invalid value: 0: spec.many[0] in body should have at least 1 properties"]);
});
