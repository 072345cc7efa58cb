import { compileSelector, isReason } from "@kaji/core";
import type { Draft, KubeObject, LabelSelector, Resource } from "@kaji/core";
import { byNamespace } from "@kaji/informer";
import type { ContextOf } from "@kaji/runtime";
import { ControllerRevision } from "@kaji/types/apps/v1";
import type { PodTemplateSpec } from "@kaji/types/core/v1";
import { claim } from "../ownership/claim.ts";
import { controllerReference } from "../ownership/controller-reference.ts";
import { ownersPatch } from "../pods/pod-ownership.ts";
import { keeps, templateData } from "./revision-data.ts";

type OwnContext = ContextOf<ControllerRevision, readonly [Resource<ControllerRevision>]>;

/** What keeping revisions works with. */
export interface HistoryContext {
  readonly cache: Pick<OwnContext["cache"], "by">;
  readonly client: Pick<OwnContext["client"], "create" | "mergePatch" | "delete">;
  readonly live: Pick<OwnContext["live"], "get">;
}

/** An owner whose templates are kept as revisions. */
export interface HistoryOwner {
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly selector: LabelSelector | undefined;
  readonly template: PodTemplateSpec;
  readonly collisionCount: number | undefined;
  /** The label that has the hash. */
  readonly hashLabel: string;
  readonly hashOf: (collisionCount: number | undefined) => string;
  /** The owner as the server has it now. */
  readonly fresh: () => Promise<KubeObject | undefined>;
}

/** The label by which the pods of one revision are told from those of others: a hash for a DaemonSet, the revision's name for a StatefulSet. */
export const revisionLabel = "controller-revision-hash";

/** The revisions of an owner. */
export interface History {
  /** That of the present template. */
  readonly current: ControllerRevision;
  /** The others, the oldest first. */
  readonly old: readonly ControllerRevision[];
  readonly collisionCount: number | undefined;
}

/** Gives the present template a revision with the highest number. The revision of a template that the user rolled back to is renumbered. */
export async function keepHistory(owner: HistoryOwner, context: HistoryContext): Promise<History> {
  const revisions = (await claimRevisions(owner, context)).toSorted(byRevision);
  const current = revisions.findLast((revision) => keeps(revision, owner.template));
  const old = revisions.filter((revision) => revision !== current);
  const revision = (old.at(-1)?.revision ?? 0) + 1;
  if (current === undefined) return { ...(await createRevision(owner, revision, context)), old };
  const { collisionCount } = owner;
  if (current.revision >= revision) return { current, old, collisionCount };
  const { resourceVersion = "" } = current.metadata;
  const renumbered = await context.client.mergePatch(ControllerRevision, current.metadata, { metadata: { resourceVersion }, revision });
  return { current: renumbered, old, collisionCount };
}

/** Deletes the oldest revisions that nothing uses, down to the limit. */
export async function trimHistory(unused: readonly ControllerRevision[], limit: number, { client }: HistoryContext): Promise<void> {
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) await client.delete(ControllerRevision, revision);
}

async function claimRevisions(owner: HistoryOwner, { cache, client }: HistoryContext): Promise<readonly ControllerRevision[]> {
  const { object, resource } = owner;
  const { namespace = "" } = object.metadata;
  const candidates: readonly ControllerRevision[] = [...cache.by(ControllerRevision, byNamespace, namespace)];
  return claim(candidates, {
    owner: object,
    reference: controllerReference(resource, object),
    selector: compileSelector(owner.selector),
    fresh: owner.fresh,
    setOwners: ({ metadata }, owners) => client.mergePatch(ControllerRevision, metadata, ownersPatch(metadata, owners)),
  });
}

/**
 * A name that another revision has is a collision: the next hash is tried. One with the same template is the revision that is wanted, whoever owns it: left behind by an owner of that name before,
 * it is claimed as soon as that is heard of, and the pods that are of it are of the present template.
 */
async function createRevision(
  owner: HistoryOwner,
  revision: number,
  { client, live }: HistoryContext,
): Promise<Pick<History, "current" | "collisionCount">> {
  for (let { collisionCount } = owner; ; collisionCount = (collisionCount ?? 0) + 1) {
    const draft = revisionDraft(owner, revision, owner.hashOf(collisionCount));
    try {
      return { current: await client.create(ControllerRevision, draft), collisionCount };
    } catch (error) {
      if (!isReason(error, "AlreadyExists")) throw error;
      const { namespace, name = "" } = draft.metadata;
      const present = await live.get(ControllerRevision, { namespace, name });
      if (present !== undefined && keeps(present, owner.template)) return { current: present, collisionCount };
    }
  }
}

function revisionDraft({ object, resource, template, hashLabel }: HistoryOwner, revision: number, hash: string): Draft<ControllerRevision> {
  const { name, namespace, annotations } = object.metadata;
  return {
    metadata: {
      name: `${name.slice(0, 223)}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(resource, object)],
    },
    data: templateData(template),
    revision,
  };
}

function byRevision(left: ControllerRevision, right: ControllerRevision): number {
  const [leftAge = "", rightAge = ""] = [left.metadata.creationTimestamp, right.metadata.creationTimestamp];
  return left.revision - right.revision || (leftAge < rightAge ? -1 : leftAge > rightAge ? 1 : 0);
}
