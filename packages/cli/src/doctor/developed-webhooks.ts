import { unlessGone } from "@kaji/core";
import type { OperatorManifests } from "@kaji/manifests";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { outsideOf } from "../deploy/outside-service.ts";

/** Where `kaji dev` has the API server call the operator; undefined where it is called through its Service, or not at all. */
export async function developedWebhooks(
  { client, signal }: ClusterSession,
  { crds, webhooks }: OperatorManifests,
): Promise<string | undefined> {
  const urls: (string | undefined)[] = [];
  for (const object of webhooks) {
    const { kind, metadata } = object;
    if (kind === "APIService") urls.push(await outsideOf({ client, signal }, object));
    const resource = configurations.find((each) => each.kind === kind);
    if (resource === undefined) continue;
    const live = await unlessGone(
      client.get<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(resource, metadata, { signal }),
    );
    urls.push(...(live?.webhooks ?? []).map(({ clientConfig }) => clientConfig.url));
  }
  for (const { metadata } of crds) {
    const live = await unlessGone(client.get(CustomResourceDefinition, metadata, { signal }));
    urls.push(live?.spec.conversion?.webhook?.clientConfig?.url);
  }
  const url = urls.find((each) => each !== undefined);
  return url === undefined ? undefined : new URL(url).origin;
}

const configurations = [MutatingWebhookConfiguration, ValidatingWebhookConfiguration] as const;
