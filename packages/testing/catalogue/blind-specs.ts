import { formatTime, setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import { ConfigMap, Service } from "@kaji/types/core/v1";
import { App, create, named, patch } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;

/** Two that belong together, of two attempts. */
export const twoAttempts: Pair = {
  id: "A3",
  title: "a certificate is signed with the key of this attempt, though the authority was made by an attempt before",
  source: "K8SPSMDB-579",
  oracles: ["invariant"],
  options: {
    ops: (user) => [create(user), patch(user, { size: 2 })],
    eventually: {
      // What is made up differs in every run, so that no comparison sees that two of them belong together.
      "the certificate is signed with the key of the authority": (world) =>
        world.get(ConfigMap, "default/certificate")?.data?.["signedWith"] === world.get(ConfigMap, "default/authority")?.data?.["key"],
    },
  },
  buggy: () => [signing("Attempt")],
  fixed: () => [signing("Authority")],
};

function signing(signsWith: "Attempt" | "Authority") {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client, reconcileId }) {
      const draft = setControllerReference(app, { metadata: named("authority"), data: { key: reconcileId } });
      const authority = cache.get(ConfigMap, named("authority")) ?? (await client.create(ConfigMap, draft));
      const certificate = cache.get(ConfigMap, named("certificate"));
      const data = { signedWith: signsWith === "Attempt" ? reconcileId : (authority.data?.["key"] ?? "") };
      if (certificate === undefined) await client.create(ConfigMap, setControllerReference(app, { metadata: named("certificate"), data }));
      else if (signsWith === "Authority" && certificate.data?.["signedWith"] !== data.signedWith)
        await client.mergePatch(ConfigMap, certificate.metadata, { data });
    },
  });
}

/** What there is depends on what there was. */
export const grownBySteps: Pair = {
  id: "C3",
  title: "storage grows by the difference to the size before, and a size that nobody saw has made no difference",
  source: "rabbitmq/cluster-operator#758",
  oracles: ["end state", "path independence"],
  options: { ops: (user) => [create(user, { size: 1 }), patch(user, { size: 3 }), patch(user, { size: 2 })] },
  buggy: () => [growing((before, seen, size) => (size > seen ? before + (size - seen) * 10 : before))],
  fixed: () => [growing((_before, _seen, size) => size * 10)],
};

function growing(next: (before: number, seen: number, size: number) => number) {
  return defineController(App, {
    owns: [ConfigMap],
    async reconcile(app, { cache, apply, setStatus }) {
      const before = Number(cache.get(ConfigMap, named("r"))?.data?.["gigabytes"] ?? 0);
      await apply(ConfigMap, { metadata: named("r"), data: { gigabytes: String(next(before, app.status?.size ?? 0, app.spec.size)) } });
      await setStatus({ size: app.spec.size });
    },
  });
}

/** Somebody promised that it matters. */
export const deafField: Pair = {
  id: "E6",
  title: "a field of the spec that is declared, and that nothing is made of",
  source: "OT-CONTAINER-KIT/redis-operator#287",
  oracles: ["consistency"],
  options: { ops: "from-schema", everyFieldMatters: true, runs: 15 },
  buggy: () => [serving(false)],
  fixed: () => [serving(true)],
};

function serving(heedsTarget: boolean) {
  return defineController(App, {
    owns: [ConfigMap, Service],
    async reconcile({ spec }, { apply }) {
      const { size, tls, notes = {}, storage = "1Gi", target = "none" } = spec;
      await apply(ConfigMap, { metadata: { ...named("r"), annotations: notes }, data: { size: String(size), tls: String(tls), storage } });
      const annotations = heedsTarget ? { target } : {};
      await apply(Service, { metadata: { ...named("r"), annotations }, spec: { ports: [{ port: 80 }] } });
    },
  });
}

/** Each look leaves a trace. */
export const lastSeen: Pair = {
  id: "G3",
  title: "a child is marked with when it was last looked at, which is a change that is looked at",
  source: "rajsinghtech/garage-operator#351",
  oracles: ["convergence", "steady state", "idempotency"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [marking(true)],
  fixed: () => [marking(false)],
};

function marking(stamps: boolean) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client, clock }) {
      const child = cache.get(ConfigMap, named("r"));
      if (child === undefined) await client.create(ConfigMap, setControllerReference(app, { metadata: named("r") }));
      else if (stamps)
        await client.mergePatch(ConfigMap, child.metadata, { metadata: { annotations: { lastSeen: formatTime(clock.now()) } } });
    },
  });
}
