import { X509Certificate } from "node:crypto";
import { isReason } from "@kaji/core";
import type { KubeObject, Resource } from "@kaji/core";
import type { OperatorManifests } from "@kaji/manifests";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { counted } from "../counted.ts";
import { objectName } from "../deploy/object-name.ts";
import type { Finding } from "./finding.ts";

/** Whether the API server knows the webhooks, trusts them, and finds Pods behind their Service. */
export async function webhookFindings(session: ClusterSession, { webhooks }: OperatorManifests): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const object of webhooks) {
    if (object.kind === "MutatingWebhookConfiguration")
      findings.push(await configurationFinding(session, MutatingWebhookConfiguration, object));
    if (object.kind === "ValidatingWebhookConfiguration")
      findings.push(await configurationFinding(session, ValidatingWebhookConfiguration, object));
    if (object.kind === "Service") findings.push(await serviceFinding(session, object));
  }
  return findings;
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
    const bundles = webhooks.map(({ clientConfig }) => clientConfig.caBundle ?? "");
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
    const days = Math.floor((Math.min(...expiries) - clock.now()) / 86_400_000);
    if (days < 0)
      return {
        state: "problem",
        subject,
        text: `trusts an authority that expired ${counted(-days, "day")} ago`,
        remedy: "see the log of the operator",
      };
    return { state: "ok", subject, text: `trusts an authority that is good for ${counted(days, "day")}` };
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
    return { state: "problem", subject, text: "is not there", remedy: "kaji deploy puts it there" };
  }
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
