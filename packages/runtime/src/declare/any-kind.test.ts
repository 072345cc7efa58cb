import assert from "node:assert/strict";
import { test } from "node:test";
import { formatApiVersion } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { anyKind } from "./any-kind.ts";
import { use } from "./declarations.ts";
import { defineController } from "./define-controller.ts";
import { missingDeclaration } from "./missing-declaration.ts";
import { permissionsOf } from "./permissions.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";

test("[ANY1] any kind may be used with the verbs that are declared so, and its objects are what the server says", async () => {
  await using world = await barWorld();
  const seen: unknown[] = [];
  world.start(
    defineController(Bar, {
      uses: [use(anyKind, "get", "patch", "delete")],
      async reconcile({ metadata: { namespace = "" }, spec }, { client, live }) {
        const part: DynamicObject = { apiVersion: formatApiVersion(Part), kind: Part.kind, metadata: { name: spec.partName, namespace } };
        const kind = await live.resourceOf(part);
        assert.ok(kind !== undefined);
        await client.apply(kind, { ...part, spec: { size: spec.size } });
        const found = await live.get(kind, part.metadata);
        seen.push(kind.scope, found?.["spec"], (await live.get(Part, part.metadata))?.spec.color);
        if (found !== undefined) await client.delete(kind, found);
        // @ts-expect-error listing is not declared
        const error: unknown = await live.list(kind).catch((thrown: unknown) => thrown);
        seen.push(String(error));
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  const refusal =
    /^UndeclaredError: controller bar does not declare list of .*Part: write use\(anyKind, "get", "patch", "delete", "list"\) in its uses$/;
  assert.deepEqual(seen.slice(0, 3), ["Namespaced", { size: 1, color: "red" }, "red"]);
  assert.match(String(seen[3]), refusal);
  assert.deepEqual((await world.client.list(Part)).items, []);
});

test("[ANY2] a kind that the server has not is undefined, until it is installed", async () => {
  await using world = await barWorld();
  const Cup = defineResource({ group: "late.example.com", version: "v1", kind: "Cup", spec: z.object({}) });
  const found: unknown[] = [];
  world.start(
    defineController(Bar, {
      async reconcile(_bar, { live }) {
        found.push((await live.resourceOf({ apiVersion: "late.example.com/v1", kind: "Cup" }))?.plural);
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  await world.define(Cup);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual(found, [undefined, "cups"]);
});

test("[ANY3] the role allows the verbs on all kinds, and says why", () => {
  const controller = defineController(Bar, { uses: [use(anyKind, "get", "patch/status")], reconcile() {} });
  assert.deepEqual(
    permissionsOf([controller]).filter(({ apiGroup }) => apiGroup === "*"),
    [
      { apiGroup: "*", resource: "*", verbs: ["get"], reasons: ["bar uses it"] },
      { apiGroup: "*", resource: "*/status", verbs: ["patch"], reasons: ["bar uses it"] },
    ],
  );
  assert.equal(missingDeclaration(controller, "delete", Part), 'write use(anyKind, "get", "patch/status", "delete") in its uses');
});

test("[ANY4] what is merely watched may not be applied because any kind may be written, neither when it compiles", async () => {
  await using world = await barWorld();
  world.start(
    defineController(Bar, {
      watches: [Part],
      uses: [use(anyKind, "create", "patch"), use(Part, "create", "patch")],
      async reconcile({ spec }, { apply }) {
        // @ts-expect-error watched, and written live at most
        await apply(Part, { metadata: { name: spec.partName } });
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  assert.match(String(world.log.lines.at(-1)?.fields["err"]), /controller bar does not declare apply of .*Part: add Part to its owns/);
  assert.deepEqual((await world.client.list(Part)).items, []);
});
