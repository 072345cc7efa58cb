import { ApiError, aggregateMessage, isReason, objectKey } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { broughtResources } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import type { ClusterSession } from "../cluster-session.ts";
import { counted } from "../counted.ts";
import type { ChangeReport } from "./change-report.ts";

/** So many objects of a kind are looked at. */
const mostObjects = 500;

/**
 * The objects of a kind that its definition would refuse if they were made now, in words; undefined where there are none. The server keeps and serves what it has stored, whatever becomes of the definition: a program
 * then reads values of other types than it was written for.
 */
export async function misfitsOf({ client, signal }: ClusterSession, resource: ResourceDefinition): Promise<string | undefined> {
  const { items } = await client.list(resource, { limit: mostObjects, signal }).catch(asNone);
  const misfits = items.flatMap((object) => {
    const errors = resource.validate(object);
    return errors.length === 0 ? [] : [`${objectKey(object.metadata)}: ${aggregateMessage(errors)}`];
  });
  const [first] = misfits;
  if (first === undefined) return undefined;
  const doNot = misfits.length === 1 ? "does not" : "do not";
  return `${counted(misfits.length, resource.kind)} ${doNot} fit the definition${misfits.length === 1 ? ":" : ", such as"} ${first}`;
}

/**
 * Warns of the stored objects that what is installed now does not fit any more. Whoever may not read them is told nothing, and nobody is where they cannot be read before the operator runs that converts
 * them: it is about to be started.
 */
export async function warnOfMisfits(session: ClusterSession, operator: OperatorDefinition, report: ChangeReport): Promise<void> {
  for (const resource of broughtResources(operator)) {
    const text = await misfitsOf(session, resource).catch((error: unknown) => {
      if (!isReason(error, "Forbidden") && !isUnconverted(error, resource)) throw error;
    });
    if (text !== undefined) report.progress(`warning: ${text}; ${misfitRemedy}`);
  }
}

/** What helps. */
export const misfitRemedy = "change them, or let the definition allow what they have; a version of its own, with a conversion, does both";

/** Whether objects could not be read since nobody converted them to the version that was asked for, which servers tell as a failure of their own. */
export function isUnconverted(error: unknown, { versions }: ResourceDefinition): error is ApiError {
  return error instanceof ApiError && error.code === 500 && Object.keys(versions).length > 1;
}

/** A kind that is not there yet has no objects. */
function asNone(error: unknown): { readonly items: readonly never[] } {
  if (isReason(error, "NotFound")) return { items: [] };
  throw error;
}
