import { verdictOn } from "@kaji/cluster";
import type { OwnerState } from "@kaji/cluster";
import { hasFinalizer, parseApiVersion } from "@kaji/core";
import type { DynamicObject, OwnerReference, Resource } from "@kaji/core";
import type { Change, WorldState } from "../world-state.ts";
import type { Actor, Stage } from "./actor.ts";
import { servedKind } from "./served-kind.ts";
import type { PluralOf } from "./served-kind.ts";
import { unlessOutrun } from "./unless-outrun.ts";

const delayMs = 10;
const foreground = "foregroundDeletion";
const orphan = "orphan";

/**
 * Deletes objects whose owners are gone, and strikes off owners that are where others are left, as the garbage collector of a cluster does, but by looking at the storage itself: mirrors of every kind would cost more than all the rest of a run.
 * `plural` names the resource of a kind.
 */
export function garbageCollection(plural: PluralOf): Actor {
  const look = (object: DynamicObject, stage: Stage): void => {
    const { uid = "" } = object.metadata;
    stage.later(uid, delayMs, () => judge(stage, stage.state.withUid(uid), plural));
  };
  return {
    name: "garbage collector",
    react({ type, object }: Change, stage: Stage): void {
      const isGoing = object.metadata.deletionTimestamp !== undefined;
      if (type !== "Deleted" && ((object.metadata.ownerReferences ?? []).length > 0 || isGoing)) look(object, stage);
      if (type === "Deleted" || isGoing) for (const dependent of dependentsOf(stage.state, object)) look(dependent, stage);
      if (type === "Deleted") for (const owner of ownersOf(stage.state, object)) look(owner, stage);
    },
  };
}

async function judge(stage: Stage, object: DynamicObject | undefined, plural: PluralOf): Promise<void> {
  const kind = object === undefined ? undefined : servedKind(object, plural);
  if (object === undefined || kind === undefined) return;
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined) return letGo(stage, object, kind, plural);
  const { ownerReferences = [] } = metadata;
  const states = ownerReferences.map((reference) => stateOf(stage.state, reference, metadata.namespace));
  if (states.every((state) => state === "Present")) return;
  const verdict = verdictOn(object, states, dependentsOf(stage.state, object));
  switch (verdict.type) {
    case "Keep":
      return;
    case "Disown":
      return setOwners(stage, object, verdict.owners, plural);
    case "Delete": {
      const unblocked = ownerReferences.map(({ blockOwnerDeletion: _blocks, ...reference }) => reference);
      if (verdict.breaksCircle) await setOwners(stage, object, unblocked, plural);
      const preconditions = metadata.uid === undefined ? {} : { preconditions: { uid: metadata.uid } };
      await stage.client.delete(kind, metadata, { propagationPolicy: verdict.policy, ...preconditions });
      return;
    }
    default:
      verdict satisfies never;
  }
}

/** Removes the finalizers that are the garbage collector's own, once what they stand for is done: dependents are gone, or disowned. */
async function letGo(stage: Stage, object: DynamicObject, kind: Resource, plural: PluralOf): Promise<void> {
  const { uid, finalizers = [] } = object.metadata;
  const dependents = dependentsOf(stage.state, object);
  if (finalizers.includes(orphan)) {
    for (const dependent of dependents) {
      const others = (dependent.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid);
      await setOwners(stage, dependent, others, plural);
    }
  } else if (finalizers.includes(foreground) && dependents.some((dependent) => blocks(dependent, object))) return;
  const left = finalizers.filter((finalizer) => finalizer !== foreground && finalizer !== orphan);
  if (left.length === finalizers.length) return;
  await stage.client.mergePatch(kind, object.metadata, { metadata: { finalizers: left } });
}

async function setOwners({ client }: Stage, object: DynamicObject, owners: readonly OwnerReference[], plural: PluralOf): Promise<void> {
  const kind = servedKind(object, plural);
  if (kind === undefined) return;
  await unlessOutrun(client.mergePatch(kind, object.metadata, { metadata: { ownerReferences: owners } }));
}

function stateOf(state: WorldState, { uid, apiVersion, kind, name }: OwnerReference, namespace: string | undefined): OwnerState {
  const owner = state.withUid(uid);
  if (owner === undefined) return "Absent";
  const isNamed = owner.metadata.name === name && owner.kind === kind;
  const isSameGroup = parseApiVersion(owner.apiVersion).group === parseApiVersion(apiVersion).group;
  const isReachable = owner.metadata.namespace === undefined || owner.metadata.namespace === namespace;
  if (!isNamed || !isSameGroup || !isReachable) return "Absent";
  return owner.metadata.deletionTimestamp !== undefined && hasFinalizer(owner, foreground) ? "Waiting" : "Present";
}

function dependentsOf({ objects }: WorldState, { metadata }: DynamicObject): readonly DynamicObject[] {
  return [...objects.values()].filter((object) => (object.metadata.ownerReferences ?? []).some(({ uid }) => uid === metadata.uid));
}

function ownersOf(state: WorldState, { metadata }: DynamicObject): readonly DynamicObject[] {
  return (metadata.ownerReferences ?? []).map(({ uid }) => state.withUid(uid)).filter((owner) => owner !== undefined);
}

function blocks({ metadata }: DynamicObject, owner: DynamicObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion === true);
}
