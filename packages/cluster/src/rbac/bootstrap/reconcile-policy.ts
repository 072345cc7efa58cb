import type { ApiServer, Kind, KindVersion } from "@kaji/apiserver";
import { formatTime, structuralEqual } from "@kaji/core";
import type { DynamicObject, JsonObject, ObjectMeta } from "@kaji/core";
import { objectField, objectsField } from "../../kinds/json-fields.ts";
import { ruleFields, rulesOf } from "../policy-rule.ts";
import { missingRules } from "../rule-coverage.ts";
import { bootstrapPolicy } from "./bootstrap-policy.ts";

const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";
const manager = "kube-apiserver";

/**
 * Makes the roles and bindings that a cluster has from the start, and gives back to those that are there what they have lost. What was added to
 * them stays, and those that say so are left alone. All that is missing is written at once.
 */
export async function reconcilePolicy(server: ApiServer): Promise<void> {
  const reconciler = new Reconciler(server);
  const kinds = new Map(server.kinds.kinds.filter(({ group }) => group === "rbac.authorization.k8s.io").map((kind) => [kind.kind, kind]));
  await Promise.all(
    bootstrapPolicy().map(async (expected) => {
      const kind = kinds.get(expected.kind);
      const [version] = kind?.versions ?? [];
      if (kind !== undefined && version !== undefined) await reconciler.reconcile(kind, version, expected);
    }),
  );
}

class Reconciler {
  readonly #server: ApiServer;
  readonly #now: string;
  /** By shape: objects that have the same fields are owned alike. */
  readonly #managers = new Map<string, Promise<ObjectMeta["managedFields"]>>();

  constructor(server: ApiServer) {
    this.#server = server;
    this.#now = formatTime(server.clock.now());
  }

  async reconcile(kind: Kind, version: KindVersion, expected: DynamicObject): Promise<void> {
    const { name, namespace } = expected.metadata;
    const store = this.#server.registry.store(kind, version);
    const live = store.get(namespace, name);
    if (live !== undefined && (live.object.metadata.annotations?.[autoUpdate] === "false" || isUntouched(live.object, expected))) return;
    const isSameRole = structuralEqual(live?.object["roleRef"], expected["roleRef"]);
    if (live === undefined || !isSameRole) {
      // Which role a binding gives cannot change: it is another binding.
      if (live !== undefined) await store.remove(namespace, live);
      await store.create(namespace, await this.#asNew(kind, expected));
      return;
    }
    const next = reconciled(live.object, expected);
    if (!structuralEqual(next, live.object)) await store.replace(namespace, live, await this.#owned(kind, next, live.object));
  }

  async #asNew(kind: Kind, expected: DynamicObject): Promise<DynamicObject> {
    const shape = JSON.stringify([expected.kind, Object.keys(expected), Object.keys(expected.metadata.labels ?? {})]);
    const managers = this.#managers.get(shape) ?? this.#owned(kind, expected).then(({ metadata }) => metadata.managedFields);
    this.#managers.set(shape, managers);
    const managedFields = await managers;
    const metadata = { ...expected.metadata, uid: this.#server.random.uuid(), creationTimestamp: this.#now };
    return { ...expected, metadata: managedFields === undefined ? metadata : { ...metadata, managedFields } };
  }

  #owned(kind: Kind, next: DynamicObject, live?: DynamicObject): Promise<DynamicObject> {
    const write = { live, next, manager, apiVersion: next.apiVersion, now: this.#now };
    return this.#server.registry.fieldManagers.run(kind, (fields) => fields.update(write));
  }
}

/** Whether an object is still as an earlier start wrote it, byte for byte: a cheap check that nearly all objects pass. */
function isUntouched(live: DynamicObject, expected: DynamicObject): boolean {
  const { metadata, ...fields } = expected;
  const isSame = (present: unknown, wanted: unknown): boolean => JSON.stringify(present) === JSON.stringify(wanted);
  return (
    isSame(live.metadata.labels, metadata.labels) &&
    isSame(live.metadata.annotations, metadata.annotations) &&
    // The expected rules of an aggregated role are null: role aggregation writes them.
    Object.entries(fields).every(([name, wanted]) => wanted === null || isSame(live[name], wanted))
  );
}

/** The present object with all that is expected of it. */
function reconciled(live: DynamicObject, expected: DynamicObject): DynamicObject {
  const labels = { ...expected.metadata.labels, ...live.metadata.labels };
  const annotations = { ...expected.metadata.annotations, ...live.metadata.annotations };
  const subjects = withMissing(objectsField(live, "subjects"), objectsField(expected, "subjects"));
  const hasAll = structuralEqual(live["rules"], expected["rules"]);
  const missing = hasAll ? [] : missingRules(rulesOf(live), rulesOf(expected)).map(ruleFields);
  const rules = [...objectsField(live, "rules"), ...missing];
  return {
    ...withAggregation(live, expected),
    metadata: { ...live.metadata, labels, annotations },
    ...(subjects.length === 0 ? {} : { subjects }),
    ...(missing.length === 0 ? {} : { rules }),
  };
}

function withAggregation(live: DynamicObject, expected: DynamicObject): DynamicObject {
  const { aggregationRule, ...plain } = live;
  const selectorsOf = (rule: unknown): readonly JsonObject[] => objectsField(objectField({ rule }, "rule"), "clusterRoleSelectors");
  const wanted = selectorsOf(expected["aggregationRule"]);
  if (wanted.length === 0) return plain;
  return { ...live, aggregationRule: { clusterRoleSelectors: withMissing(selectorsOf(aggregationRule), wanted) } };
}

function withMissing(present: readonly JsonObject[], wanted: readonly JsonObject[]): readonly JsonObject[] {
  return [...present, ...wanted.filter((each) => !present.some((other) => structuralEqual(other, each)))];
}
