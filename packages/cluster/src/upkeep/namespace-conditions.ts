import { formatTime } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";

/** What was found when a namespace was to be emptied. */
export interface NamespaceFindings {
  /** How many objects there are of each kind that has any. */
  readonly objects: ReadonlyMap<string, number>;
  /** How many objects each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Versions of groups of which it is not known what they serve. */
  readonly undiscovered: readonly string[];
  /** Why objects of some kinds could not be deleted, or found. */
  readonly failures: readonly string[];
}

/** A condition of a namespace. */
export interface NamespaceCondition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** The conditions of a namespace that is ending, each with what it says when all is well. */
const conditions = [
  ["NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"],
  ["NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", "All legacy kube types successfully parsed"],
  ["NamespaceDeletionContentFailure", "ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
  ["NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"],
  ["NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"],
] as const;

/** The conditions that a namespace should have by what was found. One whose status stays keeps its time. */
export function conditionsFor(
  findings: NamespaceFindings,
  present: readonly NamespaceCondition[],
  nowMs: number,
): readonly NamespaceCondition[] {
  return conditions.map(([type, okReason, okMessage]) => {
    const trouble = troubleOf(type, findings);
    const status = trouble === undefined ? "False" : "True";
    const old = present.find((condition) => condition.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : formatTime(nowMs);
    const [reason, message] = trouble ?? [okReason, okMessage];
    return { type, status, lastTransitionTime, reason, message };
  });
}

/** The conditions that a namespace has. */
export function conditionsOf({ status }: DynamicObject): readonly NamespaceCondition[] {
  return typeof status === "object" && status !== null && "conditions" in status && Array.isArray(status.conditions)
    ? status.conditions
    : [];
}

type Trouble = readonly [reason: string, message: string] | undefined;

function troubleOf(type: (typeof conditions)[number][0], findings: NamespaceFindings): Trouble {
  const { objects, finalizers, undiscovered, failures } = findings;
  switch (type) {
    case "NamespaceDeletionDiscoveryFailure": {
      const listed = undiscovered.map((version) => `${version}: stale GroupVersion discovery: ${version}`).toSorted();
      const why = `unable to retrieve the complete list of server APIs: ${listed.join(", ")}`;
      return some(listed, "DiscoveryFailed", `Discovery failed for some groups, ${listed.length} failing: ${why}`);
    }
    case "NamespaceDeletionGroupVersionParsingFailure":
      return undefined;
    case "NamespaceDeletionContentFailure": {
      const listed = failures.toSorted().join(", ");
      return some(failures, "ContentDeletionFailed", `Failed to delete all resource types, ${failures.length} remaining: ${listed}`);
    }
    case "NamespaceContentRemaining": {
      const listed = Array.from(objects, ([kind, count]) => `${kind} has ${count} resource instances`).toSorted();
      return some(listed, "SomeResourcesRemain", `Some resources are remaining: ${listed.join(", ")}`);
    }
    case "NamespaceFinalizersRemaining": {
      const listed = Array.from(finalizers, ([finalizer, count]) => `${finalizer} in ${count} resource instances`).toSorted();
      return some(listed, "SomeFinalizersRemain", `Some content in the namespace has finalizers remaining: ${listed.join(", ")}`);
    }
    default:
      return type satisfies never;
  }
}

function some(listed: readonly string[], reason: string, message: string): Trouble {
  return listed.length === 0 ? undefined : [reason, message];
}
