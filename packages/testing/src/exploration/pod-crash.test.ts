import assert from "node:assert/strict";
import { test } from "node:test";
import { setControllerReference } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import type { Controller } from "@kaji/runtime";
import { Deployment, ReplicaSet } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { deploymentPods } from "../simulation/actors/deployment-pods.ts";
import { explore } from "./explore.ts";
import type { ExploreOptions } from "./explore-options.ts";
import type { Exploration } from "./exploration.ts";

const Site = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Site",
  spec: z.object({ copies: z.int32().default(2) }),
  status: z.object({ phase: z.string().optional() }),
});
const labels = { app: "site" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };

/** Says what runs; `isFinal` says of something that once ran and does not that it has failed, and leaves it at that. */
function serving(isFinal: boolean): Controller {
  return defineController(Site, {
    owns: [Deployment],
    async reconcile({ metadata, spec, status }, { apply, cache, setStatus }) {
      const { name } = metadata;
      await apply(Deployment, { metadata: { name }, spec: { replicas: spec.copies, selector: { matchLabels: labels }, template } });
      if (status?.phase === "Failed") return;
      const isReady = cache.get(Deployment, `default/${name}`)?.status?.readyReplicas === spec.copies;
      await setStatus({ phase: isReady ? "Running" : isFinal && status?.phase === "Running" ? "Failed" : "Starting" });
    },
  });
}

function explored(controller: Controller, more: Partial<ExploreOptions> = {}): Promise<Exploration> {
  return explore({
    controllers: [controller],
    ops: (user) => [user.create(Site, { metadata: { name: "s", namespace: "default" }, spec: {} })],
    faults: { only: ["CrashPods"] },
    runs: 30,
    ...more,
  });
}

const scenario = /FAULT {2}what runs for Deployment\.apps default\/s crashes at rest after operation 1, and comes up again/;

test("[POD1] what runs for a child crashes and comes up again: who gives it up for good is found", async () => {
  const { findings, report } = await explored(serving(true));
  assert.deepEqual(
    findings.map(({ violation }) => violation.message),
    [
      'Site.testing.kaji.dev default/s: status.phase is "Failed", not "Running" (at rest after operation 1, unlike when nothing goes wrong)',
    ],
  );
  assert.match(report, scenario);
  assert.match(report, /Likely fix: let what you say and do follow from what the child says now/);
});

test("[POD1] who says what is so meanwhile, and then again what was, is right", async () => {
  const exploration = await explored(serving(false));
  exploration.expectNoViolations();
  assert.deepEqual(exploration.coverage.faults, { CrashPods: { planned: 1, explored: 1 } });
});

test("[POD1] where there are pods, it is they that crash, and their controllers that say so", async () => {
  const world = { world: [deploymentPods], retained: [ReplicaSet] };
  const { report } = await explored(serving(true), world);
  assert.match(report, scenario);
  (await explored(serving(false), world)).expectNoViolations();
});

test("[POD2] a pod that is a child is not ready until nothing is left to do, and may be replaced meanwhile", async () => {
  const mending = defineController(Site, {
    owns: [owned(Pod, { applied: false })],
    async reconcile(site, { cache, client, setStatus }) {
      const pod = cache.get(Pod, "default/s");
      const ready = pod?.status?.conditions?.find(({ type }) => type === "Ready");
      if (pod === undefined) {
        const metadata = { name: "s", namespace: "default" };
        await client.create(Pod, setControllerReference(site, { metadata, spec: template.spec }));
      } else if (ready?.status === "False") await client.delete(Pod, pod);
      await setStatus({ phase: ready?.status ?? "Unknown" });
    },
  });
  const exploration = await explored(mending);
  exploration.expectNoViolations();
  assert.equal(exploration.coverage.faults["CrashPods"]?.explored, 1);
});
