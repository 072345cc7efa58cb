import { unlessGone } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { APIService } from "@kaji/types/apiregistration/v1";
import { Service } from "@kaji/types/core/v1";
import type { ClusterSession } from "../cluster-session.ts";

/** Where an APIService, as it is on the cluster, has requests passed on out of the cluster, as `kaji dev` has it; undefined if it is not there, or leads to Pods. */
export async function outsideOf(
  { client, signal }: Pick<ClusterSession, "client" | "signal">,
  { metadata }: KubeObject,
): Promise<string | undefined> {
  const live = await unlessGone(client.get(APIService, metadata.name, { signal }));
  const { name, namespace, port = 443 } = live?.spec?.service ?? {};
  if (name === undefined || namespace === undefined) return undefined;
  const service = await unlessGone(client.get(Service, { name, namespace }, { signal }));
  return service?.spec?.type === "ExternalName" ? `https://${service.spec.externalName}:${port}` : undefined;
}
