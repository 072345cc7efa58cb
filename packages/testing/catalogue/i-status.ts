import { defineResource, z } from "@kaji/core/define";
import { defineController } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const deployment = (size: number) => ({
  metadata: named("web"),
  spec: {
    replicas: size,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } },
  },
});
const ready = (isReady: boolean) => ({
  type: "Ready",
  status: isReady ? ("True" as const) : ("False" as const),
  reason: "Counted",
  message: "",
});

/** The child has not seen yet what is said about it. */
export const countWithoutGeneration: Pair = {
  id: "I2",
  title: "Ready follows from the child's replica counts, which may be those of its last generation",
  source: "openstack neutron-operator#335, koku#176",
  oracles: ["status honesty"],
  options: {
    ops: (user) => [create(user, { size: 2 }), patch(user, { size: 1 })],
    ready: (_app, world) => {
      const live = world.get(Deployment, "default/web");
      return live?.status?.observedGeneration === live?.metadata.generation;
    },
  },
  buggy: () => [counting(false)],
  fixed: () => [counting(true)],
};

function counting(looksAtGeneration: boolean) {
  return defineController(App, {
    owns: [Deployment],
    async reconcile(app, { apply, setStatus }) {
      const live = await apply(Deployment, deployment(app.spec.size));
      const isSeen = !looksAtGeneration || live.status?.observedGeneration === live.metadata.generation;
      await setStatus({ conditions: [ready(isSeen && (live.status?.availableReplicas ?? 0) >= app.spec.size)] });
    },
  });
}

/** A reader cannot know which spec the status is about. */
export const noObservedGeneration: Pair = {
  id: "I3",
  title: "the status never says which generation it is about, so that Ready stays true while the change is still to be made",
  source: "wandb/operator#242",
  oracles: ["status honesty"],
  options: { ops: (user) => [create(user, { size: 1 }), patch(user, { size: 2 })] },
  buggy: () => [
    defineController(App, {
      selfVerbs: ["patch/status"],
      owns: [Deployment],
      async reconcile(app, { apply, client }) {
        await apply(Deployment, deployment(app.spec.size));
        const lastTransitionTime = "2026-01-01T00:00:00Z";
        const conditions = [{ ...ready(true), lastTransitionTime }];
        if (app.status?.conditions === undefined)
          await client.mergePatch(App, app.metadata, { status: { conditions } }, { subresource: "status" });
      },
    }),
  ],
  fixed: () => [counting(true)],
};

const Route = defineResource({
  group: "catalogue.kaji.dev",
  version: "v1",
  kind: "Route",
  spec: z.object({ path: z.string() }),
  status: z.object({ parents: z.array(z.object({ controllerName: z.string(), path: z.string() })).optional() }),
});

/** Others speak in the same list. */
export const othersParents: Pair = {
  id: "I5",
  title: "the parents in the status of a Route are written anew, without those that another controller has put there",
  source: "nginx/nginx-gateway-fabric#558 (same shape: lexfrei/cloudflare-tunnel-gateway-controller#434)",
  oracles: ["lost edit"],
  options: {
    ops: (user) => [
      user.create(Route, { metadata: named("r"), spec: { path: "/" } }),
      user.mergePatch(
        Route,
        "default/r",
        { status: { parents: [{ controllerName: "example.com/other", path: "/" }] } },
        { subresource: "status" },
      ),
      user.mergePatch(Route, "default/r", { spec: { path: "/shop" } }),
    ],
  },
  buggy: () => [routing(false)],
  fixed: () => [routing(true)],
};

function routing(keepsOthers: boolean) {
  const controllerName = "catalogue.kaji.dev/own";
  return defineController(Route, {
    async reconcile({ spec: { path }, status }, { setStatus }) {
      const others = keepsOthers ? (status?.parents ?? []).filter((parent) => parent.controllerName !== controllerName) : [];
      await setStatus({ parents: [...others, { controllerName, path }] });
    },
  });
}
