import { isReason, setControllerReference } from "@kaji/core";
import { defineController, owned } from "@kaji/runtime";
import { ConfigMap, Secret } from "@kaji/types/core/v1";
import { App, create, named, patch, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

const unapplied = { applied: false } as const;

/** What the second attempt finds decides how it goes on. */
export const silentlyWithoutTls: Pair = {
  id: "A4",
  title: "the certificate that an attempt left behind is taken for one of somebody else, and TLS stays off",
  source: "K8SPXC-896, K8SPXC-897, percona/percona-xtradb-cluster-operator#1043",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [securing(false)],
  fixed: () => [securing(true)],
};

function securing(looksAtOwner: boolean) {
  return defineController(App, {
    owns: [owned(Secret, unapplied), owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      const found = cache.get(Secret, named("ssl"));
      const isOwn = looksAtOwner && found?.metadata.ownerReferences?.[0]?.uid === app.metadata.uid;
      if (found === undefined) await client.create(Secret, setControllerReference(app, { metadata: named("ssl") }));
      if (cache.get(ConfigMap, named("mode")) !== undefined) return;
      const data = { tls: found === undefined || isOwn ? "on" : "off" };
      await client.create(ConfigMap, setControllerReference(app, { metadata: named("mode"), data }));
    },
  });
}

/** It is written down as done before it is. */
export const doneBeforeIt: Pair = {
  id: "A8",
  title: "the status says Initialised before the keystore is made, and whoever reads it makes none",
  source: "K8SSAND-1023",
  oracles: ["end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [initialising("StatusFirst")],
  fixed: () => [initialising("StatusLast")],
};

function initialising(order: "StatusFirst" | "StatusLast") {
  return defineController(App, {
    owns: [owned(Secret, unapplied)],
    async reconcile(app, { cache, client, setStatus }) {
      if (app.status?.phase === "Initialised" && order === "StatusFirst") return;
      if (order === "StatusFirst") await setStatus({ phase: "Initialised" });
      if (cache.get(Secret, named("keystore")) === undefined)
        await client.create(Secret, setControllerReference(app, { metadata: named("keystore") }));
      if (order === "StatusLast") await setStatus({ phase: "Initialised" });
    },
  });
}

/** The right to delete goes before what has to be deleted. */
export const finalizerFirst: Pair = {
  id: "A12",
  title: "the finalizer is removed before what it stands for is deleted outside",
  source: "generic",
  oracles: ["end state"],
  options: { external: () => new Zones(), ops: (user) => [create(user), remove(user)] },
  buggy: (zones: Zones) => [zoning(zones, "FinalizerFirst")],
  fixed: (zones: Zones) => [zoning(zones, "ZoneFirst")],
};

/** Something outside that has one zone for each App. */
class Zones {
  readonly names: string[] = [];

  async ensure(name: string): Promise<void> {
    if (!this.names.includes(name)) this.names.push(name);
  }

  async drop(name: string): Promise<void> {
    const at = this.names.indexOf(name);
    if (at >= 0) this.names.splice(at, 1);
  }
}

function zoning(zones: Zones, order: "FinalizerFirst" | "ZoneFirst") {
  const finalizer = "catalogue.kaji.dev/zone";
  return defineController(App, {
    selfVerbs: ["patch"],
    async reconcile(app, { client }) {
      const { name, deletionTimestamp, finalizers = [] } = app.metadata;
      const set = (next: readonly string[]) => client.mergePatch(App, app.metadata, { metadata: { finalizers: [...next] } });
      if (deletionTimestamp === undefined) {
        if (!finalizers.includes(finalizer)) await set([...finalizers, finalizer]);
        await zones.ensure(name);
        return;
      }
      if (!finalizers.includes(finalizer)) return;
      const rest = finalizers.filter((each) => each !== finalizer);
      if (order === "ZoneFirst") await zones.drop(name);
      await set(rest);
      if (order === "FinalizerFirst") await zones.drop(name);
    },
  });
}

/** Another one under another name is safe, but one too many. */
export const anotherName: Pair = {
  id: "J9",
  title: "a create that fails is tried again under a new name, though the first may have been done",
  source: "generic",
  oracles: ["over-create", "end state"],
  options: { ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: () => [retrying((attempt) => `job-${attempt}`)],
  fixed: () => [retrying(() => "job-1")],
};

function retrying(nameOf: (attempt: number) => string) {
  return defineController(App, {
    owns: [owned(ConfigMap, unapplied)],
    async reconcile(app, { cache, client }) {
      if ([...cache.owned(ConfigMap)].length > 0) return;
      for (let attempt = 1; attempt <= 3; attempt++) {
        try {
          await client.create(ConfigMap, setControllerReference(app, { metadata: named(nameOf(attempt)) }));
          return;
        } catch (error) {
          if (isReason(error, "AlreadyExists")) return;
          if (attempt === 3) throw error;
        }
      }
    },
  });
}

/** Somebody else was faster, so all is well. */
export const conflictIgnored: Pair = {
  id: "J10",
  title: "a conflict is taken to mean that somebody else has done it",
  source: "generic",
  oracles: ["end state"],
  options: { ops: (user) => [create(user, { size: 1 }), patch(user, { size: 2 })] },
  buggy: () => [updating(true)],
  fixed: () => [updating(false)],
};

function updating(ignoresConflicts: boolean) {
  return defineController(App, {
    owns: [owned(ConfigMap, { ...unapplied, verbs: ["update"] })],
    async reconcile(app, { cache, client }) {
      const data = { size: String(app.spec.size) };
      const live = cache.get(ConfigMap, named("r"));
      if (live === undefined) {
        await client.create(ConfigMap, setControllerReference(app, { metadata: named("r"), data }));
        return;
      }
      if (live.data?.["size"] === data.size || (ignoresConflicts && live.metadata.annotations !== undefined)) return;
      try {
        await client.update(ConfigMap, { metadata: live.metadata, data });
      } catch (error) {
        if (!ignoresConflicts || !isReason(error, "Conflict")) throw error;
      }
    },
  });
}
