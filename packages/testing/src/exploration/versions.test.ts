import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { convert, defineController } from "@kaji/runtime";
import { ConfigMap } from "@kaji/types/core/v1";
import { simulate } from "../simulate.ts";
import { explore } from "./explore.ts";

const Lamp = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ colour: z.string().optional() }),
  versions: { v2: { spec: z.object({ light: z.object({ colour: z.string().optional() }).optional() }) } },
});
const { v2 } = Lamp.versions;

const conversion = convert(Lamp, { v2: ({ move }) => [move("spec.light.colour", "spec.colour")] });

const controller = defineController(Lamp, {
  owns: [ConfigMap],
  async reconcile({ metadata, spec }, { apply }) {
    await apply(ConfigMap, { metadata: { name: metadata.name }, data: { colour: spec.colour ?? "white" } });
  },
});

test("what users write in another version is converted, and what interferes loses nothing of it", async () => {
  const { findings, report } = await explore({
    controllers: [controller],
    conversions: [conversion],
    ops: (user) => [
      user.create(v2, { metadata: { name: "desk", namespace: "default" }, spec: { light: { colour: "red" } } }),
      user.mergePatch(v2, "default/desk", { spec: { light: { colour: "blue" } } }),
    ],
    eventually: {
      "it has its colour": ({ list }) => list(ConfigMap).every(({ data }) => data?.["colour"] === "blue"),
    },
    faults: { only: ["Interfere", "Crash"] },
  });
  assert.deepEqual(findings, [], report);
});

test("what a user changes in another version, where it has another name, is still what that user wants", async () => {
  const { findings, report } = await explore({
    controllers: [controller],
    conversions: [conversion],
    ops: (user) => [
      user.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: { colour: "red" } }),
      user.mergePatch(v2, "default/desk", { spec: { light: { colour: "blue" } } }),
    ],
    runs: 5,
  });
  assert.deepEqual(findings, [], report);
});

test("somebody else edits an object in the version that the operator writes, though another is preferred", async () => {
  // Without a conversion, whoever writes in v2 loses what only v1 has.
  const { findings, report } = await explore({ controllers: [controller], faults: { only: ["Interfere"] } });
  assert.deepEqual(findings, [], report);
});

test("a simulation in the hands of a test converts, too", async () => {
  await using simulated = await simulate({ controllers: [controller], conversions: [conversion] });
  await simulated.client.create(Lamp, { metadata: { name: "desk", namespace: "default" }, spec: { colour: "red" } });
  await simulated.settled();
  const { spec } = await simulated.client.get(v2, "default/desk");
  assert.deepEqual(spec, { light: { colour: "red" } });
});
