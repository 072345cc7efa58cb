import { formatApiVersion, isJsonArray, isJsonObject, jsonOf } from "@kaji/core";
import type { KubeObject, Resource, Status } from "@kaji/core";

/** The answer to a write as it came, which nobody has parsed. */
export interface UnparsedAnswer {
  /** What was written. The answer may be of another kind, such as the Scale of a Deployment. */
  readonly resource: Resource;
  readonly bytes: Uint8Array;
}

/** What is known of a write, besides the answer to it. */
export interface ObservedWrite {
  /** Stands in the deltas that come of the write, so that the writer can tell them from those of others. */
  readonly writer?: unknown;
}

/** Whether an answer is as it came. */
export function isUnparsed(answer: KubeObject | UnparsedAnswer): answer is UnparsedAnswer {
  return "bytes" in answer;
}

/** An answer may be of another kind under the same name, such as the Scale of a Deployment. */
export function isOfKind({ kind, apiVersion }: KubeObject, resource: Resource): boolean {
  return kind === resource.kind && apiVersion === formatApiVersion(resource);
}

/** Whether the answer to a deletion is no object. */
export function isStatus(response: KubeObject | Status): response is Status {
  return response.kind === "Status" && response.apiVersion === "v1";
}

/** Whether an object that was deleted is still there, since it has finalizers or time to go. Those of a namespace are in its spec. */
export function isLingering(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers = [], deletionGracePeriodSeconds = 0 } = object.metadata;
  if (deletionTimestamp === undefined) return false;
  const { spec } = jsonOf(object);
  const inSpec = isJsonObject(spec) ? spec["finalizers"] : undefined;
  return finalizers.length > 0 || deletionGracePeriodSeconds > 0 || (isJsonArray(inSpec) && inSpec.length > 0);
}
