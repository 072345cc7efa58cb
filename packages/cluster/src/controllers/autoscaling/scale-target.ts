import type { KubeClient } from "@kaji/client";
import { isReason, parseApiVersion } from "@kaji/core";
import type { Resource } from "@kaji/core";
import { quote } from "@kaji/core/go";
import type { CrossVersionObjectReference } from "@kaji/types/autoscaling/v2";

/** By what the scale of an object of any kind is read and written. */
export type ScaleClient = Pick<KubeClient, "discovery" | "getScale" | "scale">;

/** What an autoscaler scales. */
export interface ScaleTarget {
  readonly resource: Resource;
  /** How many replicas are wanted, and how many there are. */
  readonly wanted: number;
  readonly present: number;
  /** Which pods are its replicas; empty if it does not say. */
  readonly selector: string;
}

/** Reads the scale of what an autoscaler names. Throws if there is no such kind or object, or if it has no scale. */
export async function readScaleTarget(
  reference: CrossVersionObjectReference,
  namespace: string,
  client: ScaleClient,
  signal: AbortSignal,
): Promise<ScaleTarget> {
  const resource = await resourceOf(reference, client, signal);
  const { spec, status } = await client.getScale(resource, { namespace, name: reference.name }, { signal });
  return { resource, wanted: spec?.replicas ?? 0, present: status?.replicas ?? 0, selector: status?.selector ?? "" };
}

/** The resource of a kind, in whichever version it is served. */
async function resourceOf(
  { apiVersion = "", kind }: CrossVersionObjectReference,
  { discovery }: ScaleClient,
  signal: AbortSignal,
): Promise<Resource> {
  try {
    if (apiVersion !== "") return await discovery.resourceOf({ apiVersion, kind }, signal);
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
  }
  const group = apiVersion === "" ? "" : parseApiVersion(apiVersion).group;
  const { resources } = await discovery.all(signal);
  const found = resources.find((each) => each.group === group && each.kind === kind);
  if (found === undefined) throw new Error(`no matches for kind ${quote(kind)} in group ${quote(group)}`);
  return found;
}
