import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import type { Draft } from "@kaji/core";
import { owned } from "../declare/declarations.ts";
import { defineController } from "../declare/define-controller.ts";
import { Bar, Part, barDraft, barWorld } from "../testing/bar.ts";
import { createOrUpdate } from "./create-or-update.ts";

test("[COU1] an object is created, updated when the function changes something, and otherwise left alone", async () => {
  await using world = await barWorld();
  const { running } = world.start(
    defineController(Bar, {
      owns: [owned(Part, { applied: false, verbs: ["update"] })],
      async reconcile(bar, context) {
        const address = { name: bar.spec.partName, namespace: "default" };
        await createOrUpdate(context, Part, address, (part) =>
          setControllerReference(bar, {
            ...part,
            metadata: { ...part?.metadata, ...address },
            spec: { ...part?.spec, size: bar.spec.size },
          }),
        );
      },
    }),
  );
  await world.client.create(Bar, barDraft("a"));
  await world.settle();
  running.enqueue("default/a");
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["POST parts"]);
  await world.client.mergePatch(Bar, "default/a", { spec: { size: 2 } });
  await world.settle();
  assert.deepEqual(world.takeWrites(), ["PUT parts/a-part"]);
  assert.equal((await world.find(Part, "default/a-part"))?.spec.size, 2);
});

test("[COU2] what the function gives another name or namespace is made nowhere, and the error names both", async () => {
  const reads = { cache: { get: () => undefined } };
  const refused = () => assert.fail("nothing is sent");
  const context = { ...reads, client: { create: refused, update: refused } };
  const address = { name: "a", namespace: "default" };
  const made = (metadata: Draft<Part>["metadata"]) => createOrUpdate(context, Part, address, () => ({ metadata, spec: {} }));
  const kind = "samplecontroller.example.com/v1alpha1, Kind=Part";
  await assert.rejects(made({ generateName: "a-", namespace: "default" }), {
    message: `${kind}: createOrUpdate of default/a has made default/a-*: the function must keep name and namespace`,
  });
  await assert.rejects(made({ name: "a", namespace: "other" }), /createOrUpdate of default\/a has made other\/a/);
});
