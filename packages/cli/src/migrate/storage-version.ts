import { createHash } from "node:crypto";
import type { ClusterSession } from "../cluster-session.ts";
import type { Progress } from "../deploy/wait-until.ts";
import type { StorageMigration } from "./storage-migration.ts";

/** What a server tells of the resources of a version. */
interface VersionResources {
  readonly resources?: readonly { readonly name: string; readonly storageVersionHash?: string }[];
}

/** Whether the server stores objects by the definition as it is now: it takes a moment to notice a change, and until then would write them in a former version. One that does not tell is taken to do so. */
export async function lookAtStorageVersion(
  { client, signal }: ClusterSession,
  { storage, resource: { group, version, kind, plural } }: StorageMigration,
): Promise<Progress> {
  const { resources = [] } = await client.api.json<VersionResources>({ method: "GET", path: `/apis/${group}/${version}`, signal });
  const told = resources.find(({ name }) => name === plural)?.storageVersionHash ?? "";
  if (told === "" || told === hashOf(`${group}/${storage}/${kind}`)) return { done: true };
  return { done: false, state: `waiting for the API server to store ${plural} in ${storage}` };
}

/** As API servers tell a version that they store: the beginning of its digest. */
function hashOf(groupVersionKind: string): string {
  return createHash("sha256").update(groupVersionKind).digest().subarray(0, 8).toString("base64");
}
