import assert from "node:assert/strict";
import { test } from "node:test";
import { explore } from "@kaji/testing";
import type { ExploreOptions, Oracle } from "@kaji/testing";
import { defineController, owned, requeueAfter, setControllerReference, use, watch } from "kaji";
import type { Controller } from "kaji";
import { Deployment } from "kaji/apps/v1";
import { Service } from "kaji/core/v1";
import { barWebhook } from "./bar-webhook.ts";
import { Bar } from "./bar.ts";

/** A mistake that is easily made in a controller of Bars, and who finds it. */
interface Mutation {
  readonly make: () => Controller;
  readonly oracles: readonly Oracle[];
  /** What is done with it, where that is not the usual. */
  readonly ops?: ExploreOptions["ops"];
}

const namespace = "default";
const newBar = (deploymentName: string, replicas: number) => ({
  metadata: { name: "example", namespace },
  spec: { deploymentName, replicas },
});

function wanted(name: string, replicas: number, labels: Record<string, string> = { bar: "example" }) {
  const containers = [{ name: "nginx", image: "nginx:1.29" }];
  return {
    metadata: { name, namespace },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

const ready = (isReady: boolean) => [{ type: "Ready", status: isReady ? "True" : "False", reason: "Counted", message: "" }] as const;

const usual: ExploreOptions["ops"] = (user) => [
  user.create(Bar, newBar("web", 1)),
  user.mergePatch(Bar, "default/example", { spec: { replicas: 3, deploymentName: "other" } }),
  user.delete(Bar, "default/example"),
];
const resized: ExploreOptions["ops"] = (user) => [
  user.create(Bar, newBar("web", 1)),
  user.mergePatch(Bar, "default/example", { spec: { replicas: 3 } }),
];

const mutations: Record<string, Mutation> = {
  "without an owner reference": {
    oracles: ["path independence"],
    make: () =>
      defineController(Bar, {
        watches: [watch(Deployment, { verbs: ["patch", "create"] })],
        async reconcile({ spec }, { cache, client }) {
          if (cache.get(Deployment, `${namespace}/${spec.deploymentName}`)?.spec?.replicas !== spec.replicas)
            await client.apply(Deployment, wanted(spec.deploymentName, spec.replicas), { force: true });
        },
      }),
  },
  "the Deployment is written back without its version": {
    ops: resized,
    oracles: ["lost edit"],
    make: () =>
      defineController(Bar, {
        owns: [owned(Deployment, { applied: false, verbs: ["update"] })],
        async reconcile(bar, { cache, client }) {
          const { deploymentName, replicas } = bar.spec;
          for (const { metadata } of [...cache.owned(Deployment)])
            if (metadata.name !== deploymentName) await client.delete(Deployment, { metadata } as never);
          const live = cache.get(Deployment, `${namespace}/${deploymentName}`);
          const next = setControllerReference(bar, wanted(deploymentName, replicas));
          if (live === undefined) await client.create(Deployment, next);
          else if (live.spec?.replicas !== replicas) await client.update(Deployment, next);
        },
      }),
  },
  "the status is written always": {
    oracles: ["idempotency"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        selfVerbs: ["patch/status"],
        async reconcile(bar, { apply, client }) {
          const { status } = await apply(Deployment, wanted(bar.spec.deploymentName, bar.spec.replicas));
          const availableReplicas = status?.availableReplicas ?? 0;
          await client.mergePatch(Bar, bar.metadata, { status: { availableReplicas } }, { subresource: "status" });
        },
      }),
  },
  "what is wanted no longer is not pruned": {
    oracles: ["path independence"],
    make: () =>
      defineController(Bar, {
        owns: [owned(Deployment, { applied: false })],
        async reconcile(bar, { cache, client }) {
          const { deploymentName, replicas } = bar.spec;
          if (cache.get(Deployment, `${namespace}/${deploymentName}`)?.spec?.replicas !== replicas)
            await client.apply(Deployment, setControllerReference(bar, wanted(deploymentName, replicas)), { force: true });
        },
      }),
  },
  "what was applied is remembered in memory": {
    ops: resized,
    oracles: ["end state"],
    make: () => {
      const applied = new Map<string, string>();
      return defineController(Bar, {
        owns: [owned(Deployment, { applied: false })],
        async reconcile(bar, { client, key }) {
          const { deploymentName, replicas } = bar.spec;
          const state = `${deploymentName} ${replicas}`;
          if (applied.get(key) === state) return;
          applied.set(key, state);
          await client.apply(Deployment, setControllerReference(bar, wanted(deploymentName, replicas)), { force: true });
        },
      });
    },
  },
  "an error is swallowed": {
    oracles: ["end state"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        async reconcile({ spec }, { apply }) {
          await apply(Deployment, wanted(spec.deploymentName, spec.replicas)).catch(() => {});
        },
      }),
  },
  "the Deployment's name is made up": {
    oracles: ["over-create", "path independence", "end state"],
    make: () =>
      defineController(Bar, {
        owns: [owned(Deployment, { applied: false })],
        async reconcile(bar, { client, setStatus }) {
          if (bar.status?.availableReplicas !== undefined && bar.status.availableReplicas > 0) return;
          const metadata = { generateName: "bar-", namespace };
          await client.create(Deployment, setControllerReference(bar, { ...wanted("", bar.spec.replicas), metadata }));
          await setStatus({ availableReplicas: bar.spec.replicas });
        },
      }),
  },
  "it polls ten times a second": {
    oracles: ["convergence", "steady state"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        async reconcile({ spec }, { apply }) {
          await apply(Deployment, wanted(spec.deploymentName, spec.replicas));
          return requeueAfter(100);
        },
      }),
  },
  "Ready is said before it is": {
    oracles: ["status honesty"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        async reconcile({ spec }, { apply, setStatus }) {
          await apply(Deployment, wanted(spec.deploymentName, spec.replicas));
          await setStatus({ conditions: ready(true) });
        },
      }),
  },
  "changes are not carried over": {
    oracles: ["path independence"],
    make: () =>
      defineController(Bar, {
        owns: [owned(Deployment, { applied: false })],
        async reconcile(bar, { cache, client }) {
          const { deploymentName, replicas } = bar.spec;
          if (cache.get(Deployment, `${namespace}/${deploymentName}`) === undefined)
            await client.create(Deployment, setControllerReference(bar, wanted(deploymentName, replicas)));
        },
      }),
  },
  "a promise is not waited for": {
    oracles: ["forgotten promise", "end state", "path independence"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        async reconcile({ spec }, { apply, setStatus }) {
          void apply(Deployment, wanted(spec.deploymentName, spec.replicas));
          await setStatus({ availableReplicas: spec.replicas });
        },
      }),
  },
  "nobody looks at the Deployment again": {
    ops: resized,
    oracles: ["end state"],
    make: () =>
      defineController(Bar, {
        watches: [watch(Deployment, { verbs: ["create", "patch"], toKeys: () => [] })],
        async reconcile(bar, { cache, client }) {
          const { deploymentName, replicas } = bar.spec;
          if (cache.get(Deployment, `${namespace}/${deploymentName}`)?.spec?.replicas !== replicas)
            await client.apply(Deployment, setControllerReference(bar, wanted(deploymentName, replicas)), { force: true });
        },
      }),
  },
  "a field of the status is taken to be there": {
    oracles: ["exception"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        async reconcile({ spec }, { apply, setStatus }) {
          const deployment = await apply(Deployment, wanted(spec.deploymentName, spec.replicas));
          const { conditions } = deployment.status as { readonly conditions: readonly { readonly status: string }[] };
          await setStatus({ conditions: ready(conditions[0]?.status === "True") });
        },
      }),
  },
  "a label of the selector depends on the size": {
    ops: resized,
    oracles: ["convergence", "end state"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        async reconcile({ spec }, { apply }) {
          await apply(Deployment, wanted("web", spec.replicas, { size: String(spec.replicas) }));
        },
      }),
  },
  "Ready is said by counts of the size before": {
    ops: (user) => [user.create(Bar, newBar("web", 3)), user.mergePatch(Bar, "default/example", { spec: { replicas: 2 } })],
    oracles: ["status honesty"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        async reconcile({ spec }, { apply, setStatus }) {
          const { status } = await apply(Deployment, wanted(spec.deploymentName, spec.replicas));
          const availableReplicas = status?.availableReplicas ?? 0;
          await setStatus({ availableReplicas, conditions: [...ready(availableReplicas >= spec.replicas)] });
        },
      }),
  },
  "more is done than is declared": {
    oracles: ["least privilege"],
    make: () =>
      defineController(Bar, {
        owns: [Deployment],
        uses: [use(Service, "get")],
        async reconcile({ spec }, { apply, live }) {
          await apply(Deployment, wanted(spec.deploymentName, spec.replicas));
          await live.list(Service as never, { namespace });
        },
      }),
  },
};

for (const [mistake, { make, oracles, ops = usual }] of Object.entries(mutations)) {
  test(`exploration finds the mistake: ${mistake}`, async () => {
    const { findings, report } = await explore({
      controllers: () => [make()],
      webhooks: [barWebhook],
      ops,
      ready: (_bar, world) => world.list(Deployment).every(({ spec, status }) => status?.availableReplicas === spec?.replicas),
      findings: 1,
      budget: "1h",
    });
    assert.ok(
      oracles.some((oracle) => oracle === findings[0]?.violation.oracle),
      report,
    );
  });
}
