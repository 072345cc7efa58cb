import type { OwnerReference } from "@kaji/core";
import type { TreeNode } from "../page/live-message.ts";
import type { ClusterModel } from "./cluster-model.ts";
import type { Entry } from "./kind-table.ts";

/** An object with all that owns it above and all that it owns below; and which objects the tree is about. */
export interface ObjectTree {
  readonly root: TreeNode;
  /** The chosen one and those below it. */
  readonly below: ReadonlySet<string>;
  /** All of them. */
  readonly uids: ReadonlySet<string>;
}

/** The tree that an object stands in: from its first owner, and the first owner of that, down to whatever the object owns. */
export function treeOf(model: ClusterModel, chosen: Entry): ObjectTree {
  const [below, uids] = [new Set<string>(), new Set<string>()];
  const own = nodeOf(model, { entry: chosen, chosen, below }, 0);
  for (const uid of below) uids.add(uid);
  return { root: withOwners(model, { node: own, entry: chosen, uids }), below, uids };
}

interface Place {
  readonly entry: Entry;
  readonly chosen: Entry;
  /** Grows with each object of the tree, so that none is in it twice. */
  readonly below: Set<string>;
}

function nodeOf(model: ClusterModel, place: Place, depth: number): TreeNode {
  const { entry, chosen, below } = place;
  below.add(entry.uid);
  const all = model.childrenOf(entry.uid).filter(({ uid }) => !below.has(uid));
  const { childrenInTree, treeDepth } = model.limits;
  const shown = depth >= treeDepth ? [] : all.toSorted(byNeed).slice(0, childrenInTree);
  const children = shown.filter(({ uid }) => !below.has(uid)).map((child) => nodeOf(model, { entry: child, chosen, below }, depth + 1));
  const { state, why } = entry.row;
  return { ...model.nameOf(entry), state, why, isChosen: entry === chosen, isKnown: true, children, hidden: all.length - shown.length };
}

/** What is not well comes first, then by kind and name. */
function byNeed(left: Entry, right: Entry): number {
  return (
    needs[left.row.state] - needs[right.row.state] || left.kindId.localeCompare(right.kindId) || left.row.key.localeCompare(right.row.key)
  );
}

const needs = { Bad: 0, Waiting: 1, Good: 2, Quiet: 2 } as const;

interface Rooted {
  readonly node: TreeNode;
  readonly entry: Entry;
  readonly uids: Set<string>;
}

/** The node below its owners. Of several owners the one that controls it is shown; other children of an owner are counted. */
function withOwners(model: ClusterModel, { node, entry, uids }: Rooted): TreeNode {
  const reference = entry.owners.find(({ controller }) => controller === true) ?? entry.owners[0];
  if (reference === undefined || uids.has(reference.uid) || uids.size > model.limits.changes) return node;
  uids.add(reference.uid);
  const owner = model.entry(reference.uid);
  if (owner === undefined) return unknownOwner(model, reference, { node, entry });
  const { state, why } = owner.row;
  const hidden = model.childrenOf(owner.uid).length - 1;
  const above: TreeNode = { ...model.nameOf(owner), state, why, isChosen: false, isKnown: true, children: [node], hidden };
  return withOwners(model, { node: above, entry: owner, uids });
}

/** One that cannot be read, or is gone, is known by its name alone. */
function unknownOwner(model: ClusterModel, { apiVersion, kind, name }: OwnerReference, { node, entry }: Omit<Rooted, "uids">): TreeNode {
  const owner = model.kindOf({ apiVersion, kind });
  const namespace = owner?.resource.scope === "Cluster" ? undefined : entry.row.namespace;
  const why = "was not seen";
  return {
    kindId: owner?.id ?? "",
    kind,
    namespace,
    name,
    state: "Quiet",
    why,
    isChosen: false,
    isKnown: false,
    children: [node],
    hidden: 0,
  };
}
