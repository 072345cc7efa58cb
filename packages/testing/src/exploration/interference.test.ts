import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned, use } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap } from "@kaji/types/core/v1";
import type { Fault } from "../simulation/plan.ts";
import type { World } from "../simulation/world-state.ts";
import { explore } from "./explore.ts";
import type { Exploration } from "./exploration.ts";
import type { ExploreOptions } from "./explore-options.ts";

const Lamp = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Lamp",
  spec: z.object({ colour: z.string().default("red") }),
  status: z.object({ colour: z.string().optional() }),
});

const named = { name: "desk", namespace: "default" } as const;
const wanted = ({ colour }: { readonly colour: string }) => ({ metadata: named, data: { colour } });

/** Applies what there is to be at each reconcile. */
const sound = defineController(Lamp, {
  owns: [ConfigMap],
  async reconcile({ spec }, { apply }) {
    await apply(ConfigMap, wanted(spec));
  },
});

/** Applies it when another one is wanted, and never looks at it again. */
const blind = defineController(Lamp, {
  uses: [use(ConfigMap, "create", "patch")],
  async reconcile(lamp, { client, setStatus }) {
    const { spec, status } = lamp;
    if (status?.colour === spec.colour) return;
    await client.apply(ConfigMap, setControllerReference(lamp, wanted(spec)), { force: true });
    await setStatus({ colour: spec.colour });
  },
});

/** Makes it once, and takes it from then on for being there. */
const trusting = defineController(Lamp, {
  uses: [use(ConfigMap, "create", "patch")],
  async reconcile(lamp, { client, setStatus }) {
    const { spec, status } = lamp;
    if (status?.colour === spec.colour) return;
    if (status?.colour === undefined) await client.apply(ConfigMap, setControllerReference(lamp, wanted(spec)));
    else await client.mergePatch(ConfigMap, named, { data: { colour: spec.colour } }).catch(() => {});
    await setStatus({ colour: spec.colour });
  },
});

function explored(controller: Controller, only: readonly Fault["type"][], more: Partial<ExploreOptions> = {}): Promise<Exploration> {
  return explore({
    controllers: [controller],
    ops: (user) => [
      user.create(Lamp, { metadata: named, spec: {} }),
      user.mergePatch(Lamp, "default/desk", { spec: { colour: "green" } }),
      user.mergePatch(Lamp, "default/desk", { spec: { colour: "blue" } }),
    ],
    faults: { only },
    budget: "1h",
    ...more,
  });
}

test("[INT1] each field of a child that the operator applies is changed by somebody once, and must be as it was", async () => {
  const good = await explored(sound, ["ChangeChild"]);
  assert.deepEqual(good.coverage.faults["ChangeChild"], { planned: 1, explored: 1 });
  good.expectNoViolations();
  const { findings, report } = await explored(blind, ["ChangeChild"]);
  assert.deepEqual(
    findings.map(({ violation, plan }) => [violation.oracle, violation.message, plan.ops, plan.faults.length]),
    [
      [
        "end state",
        'ConfigMap default/desk: data.colour is "red-other", not "red" (at rest after operation 1, unlike when nothing goes wrong)',
        [0],
        1,
      ],
    ],
  );
  assert.match(report, /FAULT {2}somebody changes data\.colour of ConfigMap default\/desk to "red-other" at rest after operation 1/);
  assert.match(report, /Likely fix: watch what you make/);
});

test("[INT2] a field that the operator writes without applying it is left alone, and so is one that is not compared", async () => {
  const making = defineController(Lamp, {
    owns: [owned(ConfigMap, { applied: false })],
    async reconcile({ spec }, { create }) {
      await create(ConfigMap, wanted(spec));
    },
  });
  const madeOnce = await explored(making, ["ChangeChild"], { ops: (user) => [user.create(Lamp, { metadata: named, spec: {} })] });
  assert.deepEqual(madeOnce.coverage.faults, {});
  const masked = await explored(blind, ["ChangeChild"], { mask: [{ resource: ConfigMap, path: "data.colour" }] });
  assert.deepEqual(masked.coverage.faults, {});
});

test("[INT3] an operator that keeps what others make of a field, by applying it as it is, is not wrong", async () => {
  const keeping = defineController(Lamp, {
    owns: [ConfigMap],
    async reconcile({ spec }, { apply, cache }) {
      const brightness = cache.get(ConfigMap, "default/desk")?.data?.["brightness"] ?? "full";
      await apply(ConfigMap, { metadata: named, data: { colour: spec.colour, brightness } });
    },
  });
  const exploration = await explored(keeping, ["ChangeChild"]);
  assert.deepEqual(exploration.coverage.faults["ChangeChild"], { planned: 2, explored: 2 });
  exploration.expectNoViolations();
  const { findings } = await explored(keeping, ["ChangeChild"], {
    eventually: { "lamps are bright": (world) => world.get(ConfigMap, "default/desk")?.data?.["brightness"] === "full" },
  });
  assert.deepEqual(
    findings.map(({ violation }) => violation.message),
    ['"lamps are bright" does not hold in the end'],
  );
});

test("[INT4] only what the server accepts is tried, in lists by the keys of their items", async () => {
  const deploying = defineController(Lamp, {
    owns: [Deployment],
    async reconcile({ spec }, { apply }) {
      const labels = { lamp: "desk" };
      const container = { name: "lamp", image: `lamp:${spec.colour}`, resources: { limits: { memory: "64Mi" } } };
      await apply(Deployment, {
        metadata: named,
        spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
      });
    },
  });
  const exploration = await explored(deploying, ["ChangeChild"]);
  exploration.expectNoViolations();
  // The selector is immutable, the labels of the template must match it, and a container is known by its name.
  assert.deepEqual(exploration.coverage.faults["ChangeChild"], { planned: 3, explored: 3 });
});

test("[INT5] what must always hold does not hold by the doing of others until the operator has put it right", async () => {
  const colourIn = (world: World): string => world.get(ConfigMap, "default/desk")?.data?.["colour"] ?? "dark";
  const always = { "lamps have a colour that is known": (world: World) => ["red", "green", "blue", "dark"].includes(colourIn(world)) };
  (await explored(sound, ["ChangeChild"], { always })).expectNoViolations();
  const { findings } = await explored(sound, ["ChangeChild"], { always: { "lamps are not blue": (world) => colourIn(world) !== "blue" } });
  assert.deepEqual(
    findings.map(({ violation, plan }) => [violation.oracle, plan.faults.length]),
    [["invariant", 0]],
  );
});

test("[INT6] a child is deleted by somebody just before it is written, and must be there again", async () => {
  (await explored(sound, ["Interfere"])).expectNoViolations();
  const { findings, report } = await explored(trusting, ["Interfere"]);
  assert.deepEqual(
    findings.map(({ violation }) => violation.message),
    ["ConfigMap default/desk is missing (at rest after operation 3, unlike when nothing goes wrong)"],
  );
  assert.match(report, /FAULT {2}somebody else deletes the object just before patch configmaps default\/desk/);
  assert.match(report, /Likely fix: let a write that finds nothing end the reconcile/);
});

test("[INT11] a child is deleted by somebody just after it is written, before the answer comes, and must be there again", async () => {
  const good = await explored(sound, ["Overtake"]);
  assert.deepEqual(good.coverage.faults["Overtake"], { planned: 3, explored: 3 });
  good.expectNoViolations();
  const { findings, report } = await explored(trusting, ["Overtake"]);
  assert.deepEqual(
    findings.map(({ violation, plan }) => [violation.message, plan.ops]),
    [["ConfigMap default/desk is missing (at rest after operation 1, unlike when nothing goes wrong)", [0]]],
  );
  assert.match(report, /FAULT {2}somebody deletes the object just after patch configmaps default\/desk/);
  assert.match(report, /Likely fix: take an answer for what was, not for what is/);
});

test("[INT11] a child that was created with the name it has is no exception", async () => {
  const creating = defineController(Lamp, {
    owns: [owned(ConfigMap, { applied: false })],
    async reconcile({ spec }, { create }) {
      await create(ConfigMap, wanted(spec));
    },
  });
  const exploration = await explored(creating, ["Overtake"], { ops: (user) => [user.create(Lamp, { metadata: named, spec: {} })] });
  assert.deepEqual(exploration.coverage.faults["Overtake"], { planned: 1, explored: 1 });
  assert.deepEqual(exploration.coverage.unstruck, []);
  exploration.expectNoViolations();
});

test("[INT7] what is made and deleted because of a change, by those who look after the child, is nobody's mistake", async () => {
  const Shelf = defineResource({ group: "testing.kaji.dev", version: "v1", kind: "Shelf", spec: z.object({ lamps: z.int32() }) });
  const shelving = defineController(Lamp, {
    owns: [Shelf],
    async reconcile(_lamp, { apply }) {
      await apply(Shelf, { metadata: named, spec: { lamps: 2 } });
    },
  });
  const standing = defineController(Shelf, {
    owns: [ConfigMap],
    async reconcile({ spec }, { apply }) {
      for (let lamp = 0; lamp < spec.lamps; lamp++) await apply(ConfigMap, { metadata: { name: `lamp-${spec.lamps}-${lamp}` } });
    },
  });
  const exploration = await explored(shelving, ["ChangeChild"], { controllers: [shelving, standing] });
  exploration.expectNoViolations();
  assert.deepEqual(exploration.coverage.faults["ChangeChild"], { planned: 1, explored: 1 });
});
