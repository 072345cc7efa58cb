import { test } from "node:test";
import { builtinControllers } from "@kaji/cluster";
import type { Resource } from "@kaji/core";
import type { Controller } from "@kaji/runtime";
import { explore } from "@kaji/testing";
import type { Actor, ExploreOptions, Loop } from "@kaji/testing";
import { Pod } from "@kaji/types/core/v1";

/** Where what is explored lives, unless it says otherwise. */
export const metadata: { readonly name: string; readonly namespace: string } = { name: "web", namespace: "default" };

/** Explores each, some plans of each sort; `KAJI_EXPLORE_RUNS=1000` tries them all. */
export function exploreAll(explorations: Readonly<Record<string, ExploreOptions>>): void {
  const { KAJI_EXPLORE_RUNS: runs = "25" } = process.env;
  for (const [what, options] of Object.entries(explorations)) {
    test(`${what} comes out right whatever single thing goes wrong`, async () => {
      await explore({ ...options, runs: Number(runs) }).expectNoViolations();
    });
  }
}

/** The controllers of these names, as a cluster runs them. */
export function named(...wanted: readonly string[]): readonly Controller[] {
  return builtinControllers.flatMap(({ name, controller }) => (controller !== undefined && wanted.includes(name) ? [controller] : []));
}

/** The one of this name that is made anew for each process, with the kinds that it has to do with. */
export function loopOf(wanted: string, ...resources: readonly Resource[]): readonly Loop[] {
  return builtinControllers.filter(({ name }) => name === wanted).map(({ name, start }) => ({ name, start, resources }));
}

/** Does something with each pod that runs and is not done with. */
function onRunning(name: string, isDue: (pod: Pod) => boolean, status: (pod: Pod) => Pod["status"]): Actor {
  const isRunning = (pod: object | undefined): pod is Pod =>
    pod !== undefined && "status" in pod && (pod as Pod).status?.phase === "Running" && isDue(pod as Pod);
  return {
    name,
    react({ type, object, id }, { later, client, state }) {
      if (type === "Deleted" || !id.startsWith("Pod ") || !isRunning(object)) return;
      const { uid = "" } = object.metadata;
      later(uid, 50, async () => {
        const live: object | undefined = state.withUid(uid);
        if (isRunning(live)) await client.mergePatch(Pod, live.metadata, { status: status(live) ?? {} }, { subresource: "status" });
      });
    },
  };
}

/** Pods that run have an address. */
export const addressing: Actor = onRunning(
  "addressing",
  ({ status }) => status?.podIP === undefined,
  () => ({ podIP: "10.1.0.1", podIPs: [{ ip: "10.1.0.1" }] }),
);

/** Pods that run come to their end. */
export const finishing: Actor = onRunning(
  "finishing",
  () => true,
  () => ({ phase: "Succeeded" }),
);

/** Pods that run come to a bad end. */
export const failing: Actor = onRunning(
  "failing",
  () => true,
  () => ({ phase: "Failed" }),
);
