import { compileSelector, controllerOf, objectKey } from "@kaji/core";
import type { KubeObject, LabelSelector, ObjectKey, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import { byOwner } from "@kaji/informer";
import type { MappingReads } from "@kaji/runtime";
import { Pod } from "@kaji/types/core/v1";
import { claim } from "../ownership/claim.ts";
import { controllerReference } from "../ownership/controller-reference.ts";
import type { PodContext } from "./pod-context.ts";
import { strayPods } from "../ownership/stray-index.ts";

/** An owner of pods, and what claiming them needs to know of it. */
export interface PodOwner {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly selector: LabelSelector | undefined;
  /** The owner as the server has it now. */
  readonly fresh: () => Promise<KubeObject | undefined>;
}

/** The pods whose owner references name the owner, whether or not it selects them. */
export function podsOf({ object }: PodOwner, { cache }: PodContext): readonly Pod[] {
  return [...cache.by(Pod, byOwner, object.metadata.uid ?? "")];
}

/** The pods that the owner looks after, of those that it has and those that nothing controls, when it has taken and let go of what it should. */
export async function claimPods(
  owner: PodOwner,
  context: PodContext,
  isCandidate: (pod: Pod) => boolean = () => true,
  present: readonly Pod[] = podsOf(owner, context),
): Promise<readonly Pod[]> {
  const { resource, object, selector, fresh } = owner;
  const { cache, client } = context;
  const { namespace = "" } = object.metadata;
  const candidates: readonly Pod[] = [...present, ...cache.by(Pod, strayPods, namespace)];
  return claim(candidates.filter(isCandidate), {
    owner: object,
    reference: controllerReference(resource, object),
    selector: compileSelector(selector),
    fresh,
    setOwners: ({ metadata }, ownerReferences) => client.mergePatch(Pod, metadata, ownersPatch(metadata, ownerReferences)),
  });
}

/** The pods that the owner controls and selects, own writes included. */
export function ownPods(owner: PodOwner, context: PodContext, present: readonly Pod[] = podsOf(owner, context)): readonly Pod[] {
  const compiled = compileSelector(owner.selector);
  const { uid } = owner.object.metadata;
  return present.filter((pod) => controllerOf(pod)?.uid === uid && compiled.matches(pod.metadata.labels));
}

/** The owners of a kind that might take a pod which nothing controls. */
export function* takersOf<T extends KubeObject>(
  pod: Pod,
  reads: MappingReads,
  resource: Resource<T>,
  selectorOf: (owner: DeepReadonly<T>) => LabelSelector | undefined,
): Generator<ObjectKey> {
  const { namespace, labels } = pod.metadata;
  if (namespace === undefined || controllerOf(pod) !== undefined) return;
  for (const owner of reads.list(resource, { namespace })) {
    if (compileSelector(selectorOf(owner)).matches(labels)) yield objectKey(owner.metadata);
  }
}

/** A patch of the owners that the server refuses if the object has changed since it was read. */
export function ownersPatch<O>(
  { uid, resourceVersion }: KubeObject["metadata"],
  ownerReferences: O,
): { readonly metadata: { readonly uid?: string; readonly resourceVersion?: string; readonly ownerReferences: O } } {
  return {
    metadata: { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }), ownerReferences },
  };
}
