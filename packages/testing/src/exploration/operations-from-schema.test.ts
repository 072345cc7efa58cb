import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { explore } from "./explore.ts";
import { operationsFromSchema } from "./operations-from-schema.ts";

function idle(kind: string, spec: z.ZodType) {
  return defineController(defineResource({ group: "testing.kaji.dev", version: "v1", kind, spec }), { reconcile: async () => {} });
}

const many = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`field${index}`, z.boolean()]));
const patched = ({ operations }: ReturnType<typeof operationsFromSchema>): readonly string[] =>
  operations.map(({ text }) => text).filter((text) => text.startsWith("patch"));

test("[OPS3] there are at most twelve changes, one of each field before a second one of any", () => {
  assert.equal(patched(operationsFromSchema([idle("Wide", z.object(many))])).length, 12);
  const deep = z.object({ size: z.int32().default(1), inner: z.object(many), isOn: z.boolean() });
  const changes = patched(operationsFromSchema([idle("Deep", deep)])).join("\n");
  for (const field of ["size", "inner", "isOn"]) assert.match(changes, new RegExp(`"${field}":`));
  assert.match(changes, /"size":0.*\n.*"size":null/);
});

test("[OPS4] what there is no room for is named: fields that are never changed, and those that could be changed more often", () => {
  const wide = z.object({ size: z.int32().default(1), inner: z.object(many), isOn: z.boolean() });
  assert.deepEqual(operationsFromSchema([idle("Wide", wide)]).leftOut, [
    "changes of spec.inner.field7, spec.inner.field8, spec.inner.field9, spec.inner.field10, spec.inner.field11, spec.inner.field12, spec.inner.field13, spec.inner.field14: no more than 12 changes are derived from a schema, so give `ops`",
    "further changes of spec.inner.field0, spec.inner.field1, spec.inner.field2, spec.inner.field3, spec.inner.field4, spec.inner.field5, spec.inner.field6: no more than 12 changes are derived from a schema, so give `ops`",
  ]);
  const [never] = operationsFromSchema([idle("Wider", z.object({ a: z.object(many), b: z.object(many) }))]).leftOut;
  assert.match(never ?? "", /^changes of (spec\.[ab]\.field\d+, ){12}6 more fields: no more than 12/);
});

test("[OPS4] the kinds of further controllers are named, since nothing is derived for them", () => {
  const { leftOut } = operationsFromSchema([idle("One", z.object({})), idle("Two", z.object({})), idle("One", z.object({}))]);
  assert.deepEqual(leftOut, ["what users do with a Two: from a schema it is derived for a One alone, so give `ops`"]);
});

test("[OPS4] what is left out is said in the report, on the page and to programs", async () => {
  const spec = z.object({ config: k.preserveUnknownFields(), name: k.dnsLabel() });
  const exploration = await explore({ controllers: [idle("App", spec)], runs: 1 });
  const text = "changes of spec.config: the schema does not say what it holds";
  assert.ok(exploration.report.includes(`Not explored: ${text}`), exploration.report);
  assert.ok(exploration.html.includes(`<li>${text}</li>`));
  assert.ok(JSON.stringify(exploration).includes(text));
});

test("[OPS4] where a test says what users do, nothing is said of a schema", async () => {
  const App = defineResource({
    group: "testing.kaji.dev",
    version: "v1",
    kind: "App",
    spec: z.object({ config: k.preserveUnknownFields() }),
  });
  const { coverage } = await explore({
    controllers: [defineController(App, { reconcile: async () => {} })],
    ops: (user) => [user.create(App, { metadata: { name: "a", namespace: "default" }, spec: { config: {} } })],
    runs: 1,
  });
  assert.ok(!coverage.notExplored.some((each) => each.includes("schema")), coverage.notExplored.join("\n"));
});

test("[OPS2] an operator that makes something for each item of a list, and never removes it, is found without `ops`", async () => {
  const Site = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Site", spec: z.object({ hosts: z.array(k.dnsLabel()) }) });
  const collector = defineController(Site, {
    owns: [owned(ConfigMap, { applied: false })],
    async reconcile(site, { cache, client }) {
      for (const name of site.spec.hosts) {
        const metadata = { name, namespace: "default" };
        if (cache.get(ConfigMap, metadata) === undefined) await client.create(ConfigMap, setControllerReference(site, { metadata }));
      }
    },
  });
  const { findings, report } = await explore({ controllers: [collector], findings: 1 });
  assert.equal(findings[0]?.violation.oracle, "path independence", report);
  assert.match(report, /ConfigMap default\/hosts(-2)? should not be there/);
});

test("[OPS1] they are the same each time", () => {
  const texts = (): readonly string[] => operationsFromSchema([idle("Wide", z.object(many))]).operations.map(({ text }) => text);
  assert.deepEqual(texts(), texts());
});
