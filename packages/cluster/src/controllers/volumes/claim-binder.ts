import { Quantity, isReason, objectKey, structuralEqual } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { defineController, watch } from "@kaji/runtime";
import type { ContextOf, Controller, MappingReads, ObjectChange, Watched } from "@kaji/runtime";
import { Node, PersistentVolume, PersistentVolumeClaim } from "@kaji/types/core/v1";
import type { PersistentVolumeClaimStatus } from "@kaji/types/core/v1";
import { StorageClass } from "@kaji/types/storage/v1";
import { isKeptFor, matchingVolume, whyUnfit } from "./matching-volume.ts";
import { provisionedVolume } from "./provisioned-volume.ts";
import { classOf, defaultClass, simulatedProvisioner } from "./storage-classes.ts";
import { bindCompleted, boundByController, provisionedBy, selectedNode, storageProvisioners } from "./volume-annotations.ts";

type Context = ContextOf<
  PersistentVolumeClaim,
  readonly [],
  readonly [Watched<PersistentVolume, "create" | "update">, Watched<StorageClass, never>, Watched<Node, never>],
  readonly [],
  "update"
>;

/** Finds a volume for each PersistentVolumeClaim, or makes one. */
export const claimBinder: Controller = defineController(PersistentVolumeClaim, {
  name: "persistentvolume-binder-controller",
  watches: [
    watch(PersistentVolume, { verbs: ["create", "update"], toKeys: claimsOf }),
    watch(StorageClass, { toKeys: unboundClaims }),
    watch(Node, { predicates: [isNew] }),
  ],
  selfVerbs: ["update"],
  async reconcile(claim, context) {
    if (claim.metadata.annotations?.[bindCompleted] !== undefined) await keepBound(claim, context);
    else if (claim.metadata.deletionTimestamp === undefined) await bind(await completed(claim, context), context);
  },
});

/** The claim with the default class, if it names none and there is one, and with its provisioner, unless the user has named a volume. */
async function completed(claim: PersistentVolumeClaim, { cache, client }: Context): Promise<PersistentVolumeClaim> {
  const found = claim.spec?.storageClassName === undefined ? defaultClass(cache) : undefined;
  const spec = found === undefined ? claim.spec : { ...claim.spec, storageClassName: found.metadata.name };
  const storageClass = found ?? classOf(claim, cache);
  const { provisioner } = storageClass ?? {};
  const { annotations = {} } = claim.metadata;
  const isMade = provisioner !== undefined && (spec?.volumeName ?? "") === "" && !isWaiting(claim, storageClass);
  const added = isMade ? Object.fromEntries(storageProvisioners.map((name) => [name, provisioner])) : {};
  const next = {
    ...claim,
    metadata: { ...claim.metadata, annotations: { ...annotations, ...added } },
    ...(spec === undefined ? {} : { spec }),
  };
  const isComplete = found === undefined && Object.keys(added).every((name) => annotations[name] === provisioner);
  return isComplete ? claim : client.update(PersistentVolumeClaim, next);
}

/** Whether a claim waits for the scheduler to choose the node of its first pod. */
function isWaiting(claim: PersistentVolumeClaim, storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === "WaitForFirstConsumer" && claim.metadata.annotations?.[selectedNode] === undefined;
}

async function bind(claim: PersistentVolumeClaim, context: Context): Promise<void> {
  const { cache, client, event } = context;
  const named = claim.spec?.volumeName ?? "";
  const volume = named === "" ? await findVolume(claim, context) : cache.get(PersistentVolume, { name: named });
  if (volume === undefined) return writeStatus(claim, { phase: "Pending" }, context);
  const isTaken = volume.spec?.claimRef !== undefined && !isKeptFor(volume, claim);
  const unfit = named === "" || volume.spec?.claimRef !== undefined ? undefined : whyUnfit(volume, claim);
  if (isTaken || unfit !== undefined) {
    const why = isTaken
      ? `volume ${quote(named)} already bound to a different claim.`
      : `Cannot bind to requested volume ${quote(named)}: ${unfit}`;
    event("Warning", isTaken ? "FailedBinding" : "VolumeMismatch", why);
    return writeStatus(claim, { phase: "Pending" }, context);
  }
  const { metadata } = claim;
  if (volume.spec?.claimRef?.uid !== metadata.uid) await client.update(PersistentVolume, keptFor(volume, claim));
  const annotations = { ...metadata.annotations, [bindCompleted]: "yes", ...(named === "" ? { [boundByController]: "yes" } : {}) };
  const bound = await client.update(PersistentVolumeClaim, {
    ...claim,
    metadata: { ...metadata, annotations },
    spec: { ...claim.spec, volumeName: volume.metadata.name },
  });
  return writeStatus(bound, boundStatus(bound, volume), context);
}

/** Finds an existing volume or makes a new one; an event says why there is neither. */
async function findVolume(claim: PersistentVolumeClaim, context: Context): Promise<PersistentVolume | undefined> {
  const { cache, event } = context;
  const { storageClassName: className = "" } = claim.spec ?? {};
  const storageClass = classOf(claim, cache);
  const nodeName = claim.metadata.annotations?.[selectedNode];
  const waits = isWaiting(claim, storageClass);
  const node = nodeName === undefined ? undefined : cache.get(Node, { name: nodeName });
  const found = matchingVolume(claim, cache.list(PersistentVolume), { isWaiting: waits, node });
  if (found !== undefined) return found;
  if (waits) event("Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
  else if (className === "") {
    event("Normal", "FailedBinding", "no persistent volumes available for this claim and no storage class is set");
  } else if (storageClass === undefined)
    event("Warning", "ProvisioningFailed", `storageclass.storage.k8s.io ${quote(className)} not found`);
  else return provision(claim, storageClass, context);
  return undefined;
}

async function provision(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  context: Context,
): Promise<PersistentVolume | undefined> {
  const { client, event, live } = context;
  const { provisioner } = storageClass;
  if (provisioner !== simulatedProvisioner) {
    const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    event("Normal", "ExternalProvisioning", message);
    return undefined;
  }
  const draft = provisionedVolume(claim, storageClass);
  try {
    const volume = await client.create(PersistentVolume, draft);
    event("Normal", "ProvisioningSucceeded", `Successfully provisioned volume ${volume.metadata.name}`);
    return volume;
  } catch (error) {
    if (isReason(error, "AlreadyExists")) return live.get(PersistentVolume, { name: draft.metadata.name });
    throw error;
  }
}

/** Checks that a bound claim still has its volume, and writes what the claim has of it to the status. */
async function keepBound(claim: PersistentVolumeClaim, context: Context): Promise<void> {
  const { cache, client, event } = context;
  const { volumeName = "" } = claim.spec ?? {};
  const volume = volumeName === "" ? undefined : cache.get(PersistentVolume, { name: volumeName });
  const isLost = claim.status?.phase === "Lost";
  if (volume === undefined) {
    if (!isLost) event("Warning", "ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
    return writeStatus(claim, { phase: "Lost" }, context);
  }
  if (volume.spec?.claimRef === undefined) await client.update(PersistentVolume, keptFor(volume, claim));
  else if (!isKeptFor(volume, claim)) {
    if (!isLost) event("Warning", "ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly");
    return writeStatus(claim, { phase: "Lost" }, context);
  }
  return writeStatus(claim, boundStatus(claim, await largeEnough(volume, claim, context)), context);
}

/** The volume of a claim, made larger if the claim asks for more than it has and the volume is one that was made here. */
async function largeEnough(
  volume: PersistentVolume,
  { spec }: PersistentVolumeClaim,
  { client, event }: Context,
): Promise<PersistentVolume> {
  const { storage } = spec?.resources?.requests ?? {};
  const { capacity } = volume.spec ?? {};
  const isSmaller = storage !== undefined && Quantity.parse(capacity?.["storage"] ?? "0").compare(Quantity.parse(storage)) < 0;
  if (!isSimulated(volume) || !isSmaller) return volume;
  const larger = await client.update(PersistentVolume, { ...volume, spec: { ...volume.spec, capacity: { ...capacity, storage } } });
  event("Normal", "VolumeResizeSuccessful", "Resize volume succeeded");
  return larger;
}

async function writeStatus(claim: PersistentVolumeClaim, status: PersistentVolumeClaimStatus, { client }: Context): Promise<void> {
  if (!structuralEqual(claim.status, status)) await client.updateStatus(PersistentVolumeClaim, { ...claim, status });
}

/** What a claim has of its volume. How large a volume of another provisioner has become is told by that one. */
function boundStatus({ status = {} }: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaimStatus {
  const { accessModes = [], capacity = {}, volumeAttributesClassName: attributes } = volume.spec ?? {};
  const known = status.phase === "Bound" && !isSimulated(volume) ? status.capacity : undefined;
  // What becomes of the attributes after it is bound is for whoever changes them to say.
  const current = status.phase === "Pending" && attributes !== undefined ? { currentVolumeAttributesClassName: attributes } : {};
  return { ...status, ...current, phase: "Bound", accessModes, capacity: known ?? capacity };
}

function isSimulated({ metadata }: PersistentVolume): boolean {
  return metadata.annotations?.[provisionedBy] === simulatedProvisioner;
}

function keptFor(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { namespace = "", name, uid = "", resourceVersion = "" } = claim.metadata;
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid, resourceVersion };
  const isFound = volume.spec?.claimRef === undefined;
  const annotations = { ...volume.metadata.annotations, ...(isFound ? { [boundByController]: "yes" } : {}) };
  return { ...volume, metadata: { ...volume.metadata, annotations }, spec: { ...volume.spec, claimRef } };
}

/** The claim that a volume is kept for; a volume that is free may serve any. */
function* claimsOf(volume: PersistentVolume, reads: MappingReads): Generator<ObjectKey> {
  const { namespace, name = "" } = volume.spec?.claimRef ?? {};
  if (name !== "") yield objectKey({ namespace, name });
  else yield* unboundClaims(volume, reads);
}

function* unboundClaims(_object: unknown, reads: MappingReads): Generator<ObjectKey> {
  for (const { metadata } of reads.list(PersistentVolumeClaim)) {
    if (metadata.annotations?.[bindCompleted] === undefined) yield objectKey(metadata);
  }
}

function isNew({ previous }: ObjectChange<Node>): boolean {
  return previous === undefined;
}
