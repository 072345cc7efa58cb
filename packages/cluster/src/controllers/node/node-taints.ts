import type { Node, Taint } from "@kaji/types/core/v1";

/** The taints that conditions of a node stand for: by condition and its status, the last part of the key. */
const byCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: "not-ready", Unknown: "unreachable" },
  MemoryPressure: { True: "memory-pressure" },
  DiskPressure: { True: "disk-pressure" },
  PIDPressure: { True: "pid-pressure" },
  NetworkUnavailable: { True: "network-unavailable" },
};

/** Only the condition `Ready` evicts pods that run on the node already; the others keep new pods away. */
const evicting: ReadonlySet<string> = new Set(["not-ready", "unreachable"]);

const prefix = "node.kubernetes.io/";

/** The taints that the life cycle looks after. */
const managed: ReadonlySet<string> = new Set(
  [...Object.values(byCondition).flatMap((keys) => Object.values(keys)), "unschedulable"].map((key) => prefix + key),
);

/** The taints that a node should have: those that follow from its conditions, and those that users and other controllers set. Undefined when it has them. */
export function taintsToSet({ spec = {}, status = {} }: Node, now: string): readonly Taint[] | undefined {
  const present = spec.taints ?? [];
  const keys = (status.conditions ?? []).map(({ type, status: value }) => byCondition[type]?.[value]).filter((key) => key !== undefined);
  const wanted = [...keys, ...(spec.unschedulable === true ? ["unschedulable"] : [])].flatMap((key): Taint[] => [
    { key: prefix + key, effect: "NoSchedule" },
    ...(evicting.has(key) ? [{ key: prefix + key, effect: "NoExecute" } as const] : []),
  ]);
  const others = present.filter(({ key }) => !managed.has(key));
  const taints = [...others, ...wanted.map((taint) => present.find((each) => isSame(each, taint)) ?? { ...taint, timeAdded: now })];
  const changed = new Set(taints.map(taintId)).symmetricDifference(new Set(present.map(taintId)));
  return changed.size === 0 ? undefined : taints;
}

function isSame(left: Taint, right: Taint): boolean {
  return taintId(left) === taintId(right);
}

/** What a node has no two taints of. */
export function taintId({ key, effect }: Taint): string {
  return `${key}:${effect}`;
}
