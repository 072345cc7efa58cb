import { X509Certificate } from "node:crypto";
import { isJsonObject, isReason, jsonOf, stringifyJson, unlessGone } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import type { OperatorManifests } from "@kaji/manifests";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { APIService } from "@kaji/types/apiregistration/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { counted } from "../counted.ts";
import { objectName } from "../deploy/object-name.ts";
import type { Finding } from "./finding.ts";

/** Whether the API server knows the webhooks and APIs, trusts them, and finds Pods behind their Service. */
export async function webhookFindings(session: ClusterSession, { webhooks }: OperatorManifests): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const object of webhooks) {
    if (object.kind === "MutatingWebhookConfiguration")
      findings.push(await configurationFinding(session, MutatingWebhookConfiguration, object));
    if (object.kind === "ValidatingWebhookConfiguration")
      findings.push(await configurationFinding(session, ValidatingWebhookConfiguration, object));
    if (object.kind === "APIService") findings.push(await apiFinding(session, object));
    if (object.kind === "Service") findings.push(await serviceFinding(session, object));
  }
  return findings;
}

/** Whether the API server has been told of all webhooks: it lets pass unasked what it knows no webhook of. */
export async function areRegistered({ client, signal }: ClusterSession, { webhooks }: OperatorManifests): Promise<boolean> {
  const found = await Promise.all(
    webhooks.map(async ({ kind, metadata }) => {
      if (kind === "MutatingWebhookConfiguration") return unlessGone(client.get(MutatingWebhookConfiguration, metadata.name, { signal }));
      if (kind === "ValidatingWebhookConfiguration")
        return unlessGone(client.get(ValidatingWebhookConfiguration, metadata.name, { signal }));
      return metadata;
    }),
  );
  return !found.includes(undefined);
}

async function configurationFinding(
  { client, clock, signal }: ClusterSession,
  resource: Resource<MutatingWebhookConfiguration> | Resource<ValidatingWebhookConfiguration>,
  object: KubeObject,
): Promise<Finding> {
  const subject = objectName(object);
  try {
    const { webhooks = [] } = await client.get<MutatingWebhookConfiguration | ValidatingWebhookConfiguration>(resource, object.metadata, {
      signal,
    });
    if (webhooks.length === 0) return { state: "problem", subject, text: "has no webhooks in it", remedy: "kaji deploy puts them there" };
    return trustFinding(
      subject,
      webhooks.map(({ clientConfig }) => clientConfig.caBundle ?? ""),
      clock.now(),
    );
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
    return { state: "problem", subject, text: "is not there", remedy: "kaji deploy puts it there" };
  }
}

/** Whether an authority is trusted that is still good. */
function trustFinding(subject: string, bundles: readonly string[], nowMs: number): Finding {
  if (bundles.includes("")) {
    return {
      state: "problem",
      subject,
      text: "does not say whom to trust",
      remedy: "the operator fills that in when it runs; see its log",
    };
  }
  const expiries = bundles.map(expiryMs).filter((ms) => ms !== undefined);
  if (expiries.length < bundles.length)
    return { state: "problem", subject, text: "trusts what is no certificate", remedy: "see the log of the operator" };
  const days = Math.floor((Math.min(...expiries) - nowMs) / 86_400_000);
  if (days < 0)
    return {
      state: "problem",
      subject,
      text: `trusts an authority that expired ${counted(-days, "day")} ago`,
      remedy: "see the log of the operator",
    };
  return { state: "ok", subject, text: `trusts an authority that is good for ${counted(days, "day")}` };
}

/** What the API server itself says of the way to an API, once it can trust it. */
async function apiFinding({ client, clock, signal }: ClusterSession, object: KubeObject): Promise<Finding> {
  const subject = objectName(object);
  const live = await unlessGone(client.get(APIService, object.metadata.name, { signal }));
  if (live === undefined) return { state: "problem", subject, text: "is not there", remedy: "kaji deploy puts it there" };
  const trust = trustFinding(subject, [live.spec?.caBundle ?? ""], clock.now());
  const available = live.status?.conditions?.find(({ type }) => type === "Available");
  if (trust.state !== "ok" || available?.status === "True") return trust;
  const remedy = "see whether its Pods are ready, and whether the network lets the API server reach their port 9443";
  return { state: "problem", subject, text: `is not available: ${available?.message ?? "nobody has looked at it yet"}`, remedy };
}

/** Until when the first certificate of a bundle is good; undefined if there is none in it. */
function expiryMs(bundle: string): number | undefined {
  try {
    return new X509Certificate(Buffer.from(bundle, "base64")).validToDate.getTime();
  } catch {
    return undefined;
  }
}

async function serviceFinding({ client, signal }: ClusterSession, service: KubeObject): Promise<Finding> {
  const { namespace = "", name } = service.metadata;
  const subject = objectName(service);
  const { spec } = jsonOf(service);
  if (isJsonObject(spec) && spec["type"] === "ExternalName")
    return { state: "ok", subject, text: `leads to ${stringifyJson(spec["externalName"])}` };
  const { items } = await client.list(EndpointSlice, {
    namespace,
    labelSelector: { matchLabels: { "kubernetes.io/service-name": name } },
    signal,
  });
  const ready = items.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  if (ready.length > 0) return { state: "ok", subject, text: `leads to ${counted(ready.length, "Pod")}` };
  return {
    state: "problem",
    subject,
    text: "leads nowhere: writes of what the webhooks are about are refused",
    remedy: "see why the operator's Pods are not ready",
  };
}
