import type { ApiServer, Kind } from "@kaji/apiserver";
import { formatApiVersion, formatTime, objectOf, parseJsonBytes } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { LocalApi } from "./local-api.ts";

/** Conditions of a namespace that is ending, each with what it says when all is well. */
const conditions = [
  ["NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"],
  ["NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
  ["NamespaceDeletionContentFailure", "ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
  ["NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"],
  ["NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"],
] as const;

interface NamespaceCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** What is still in a namespace. */
interface Remains {
  /** How many objects there are of each kind that has any. */
  readonly objects: ReadonlyMap<string, number>;
  /** How many objects each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** Empties namespaces, pods first, and lets them go. */
export class NamespaceDeletion {
  readonly #server: ApiServer;
  readonly #api: LocalApi;

  constructor(server: ApiServer, api: LocalApi) {
    this.#server = server;
    this.#api = api;
  }

  /** Deletes what is left and, when that is nothing, the namespace itself; tells whether it is gone. */
  async advance(namespace: DynamicObject): Promise<boolean> {
    const { name } = namespace.metadata;
    const kinds = this.#server.kinds.kinds.filter((kind) => kind.scope === "Namespaced" && kind.verbs.includes("deletecollection"));
    const pods = kinds.filter(({ group, plural }) => group === "" && plural === "pods");
    await this.#deleteAll(name, pods);
    const isRid = this.#remains(name, pods).objects.size === 0;
    if (isRid) await this.#deleteAll(name, kinds);
    const remains = this.#remains(name, kinds);
    await this.#report(namespace, remains);
    if (remains.objects.size > 0) return false;
    await this.#finalize(name);
    return true;
  }

  async #deleteAll(namespace: string, kinds: readonly Kind[]): Promise<void> {
    for (const kind of kinds) {
      const path = collectionPath(kind, namespace);
      if (this.#count(kind, namespace) > 0) await this.#api.send("DELETE", `${path}?propagationPolicy=Background`);
    }
  }

  #count({ storagePrefix }: Kind, namespace: string): number {
    return this.#server.registry.storage.count(`${storagePrefix}${namespace}/`);
  }

  #remains(namespace: string, kinds: readonly Kind[]): Remains {
    const objects = new Map<string, number>();
    const finalizers = new Map<string, number>();
    for (const kind of kinds) {
      const { entries } = this.#server.registry.storage.list(`${kind.storagePrefix}${namespace}/`);
      if (entries.length > 0) objects.set(`${kind.plural}.${kind.group}`, entries.length);
      for (const entry of entries) {
        // Finalizers are the same in every version, so the object need not be converted.
        const { metadata } = objectOf(parseJsonBytes(entry.bytes));
        for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
    }
    return { objects, finalizers };
  }

  async #report(namespace: DynamicObject, remains: Remains): Promise<void> {
    const present = conditionsOf(namespace);
    const next = conditions.map((condition) => this.#condition(condition, remains, present));
    if (JSON.stringify(present) === JSON.stringify(next)) return;
    const { name } = namespace.metadata;
    await this.#api.send("PATCH", `/api/v1/namespaces/${name}/status`, { status: { conditions: next } }, "application/merge-patch+json");
  }

  #condition(
    [type, okReason, okMessage]: (typeof conditions)[number],
    remains: Remains,
    present: readonly NamespaceCondition[],
  ): NamespaceCondition {
    const trouble = troubleOf(type, remains);
    const status = trouble === undefined ? "False" : "True";
    const old = present.find((condition) => condition.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : formatTime(this.#server.clock.now());
    return { type, status, lastTransitionTime, reason: trouble?.reason ?? okReason, message: trouble?.message ?? okMessage };
  }

  async #finalize(name: string): Promise<void> {
    const namespace = await this.#api.send("GET", `/api/v1/namespaces/${name}`);
    const spec = { ...Object(namespace["spec"]), finalizers: [] };
    await this.#api.send("PUT", `/api/v1/namespaces/${name}/finalize`, { ...namespace, spec });
  }
}

function troubleOf(type: string, { objects, finalizers }: Remains): { readonly reason: string; readonly message: string } | undefined {
  if (type === "NamespaceContentRemaining" && objects.size > 0) {
    const listed = [...objects].map(([kind, count]) => `${kind} has ${count} resource instances`).toSorted();
    return { reason: "SomeResourcesRemain", message: `Some resources are remaining: ${listed.join(", ")}` };
  }
  if (type === "NamespaceFinalizersRemaining" && finalizers.size > 0) {
    const listed = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).toSorted();
    return { reason: "SomeFinalizersRemain", message: `Some content in the namespace has finalizers remaining: ${listed.join(", ")}` };
  }
  return undefined;
}

function conditionsOf({ status }: DynamicObject): readonly NamespaceCondition[] {
  return typeof status === "object" && status !== null && "conditions" in status && Array.isArray(status.conditions)
    ? status.conditions
    : [];
}

function collectionPath({ group, versions, plural }: Kind, namespace: string): string {
  const root = group === "" ? "/api" : "/apis";
  return `${root}/${formatApiVersion({ group, version: versions[0]?.version ?? "v1" })}/namespaces/${namespace}/${plural}`;
}
