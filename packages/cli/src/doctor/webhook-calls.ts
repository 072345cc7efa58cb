import { X509Certificate } from "node:crypto";
import { ApiError, isReason, oneLine } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { broughtResources } from "@kaji/manifests";
import type { OperatorManifests } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import { Secret } from "@kaji/types/core/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { counted } from "../counted.ts";
import type { Finding } from "./finding.ts";

/** Whether the API server reaches the webhooks of the operator's own kinds: it is asked to create a sample, as a dry run. */
export async function reachFindings(
  session: ClusterSession,
  operator: OperatorDefinition,
  { samples }: OperatorManifests,
): Promise<readonly Finding[]> {
  const called = new Set(operator.webhooks.map(({ resource }) => `${resource.group} ${resource.kind}`));
  const resources = broughtResources(operator).filter(({ group, kind }) => called.has(`${group} ${kind}`));
  const found = await Promise.all(
    resources.map(async (resource) => {
      const sample = samples.find(
        ({ apiVersion, kind }) => apiVersion === `${resource.group}/${resource.version}` && kind === resource.kind,
      );
      return sample === undefined ? undefined : reachFinding(session, resource, sample);
    }),
  );
  return found.filter((finding) => finding !== undefined);
}

async function reachFinding(
  { client, signal }: ClusterSession,
  resource: ResourceDefinition,
  sample: OperatorManifests["samples"][number],
): Promise<Finding | undefined> {
  const subject = `webhooks of ${resource.kind}`;
  try {
    await client.create(resource, sample, { signal });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, reason } = error;
    // The kind is not there yet, which is told elsewhere.
    if (reason === "NotFound") return undefined;
    const [, cause] = /failed calling webhook "[^"]*": (.*)/s.exec(message) ?? [];
    if (cause !== undefined) {
      const remedy = "see whether its Pods are ready, and whether the network lets the API server reach their port 9443";
      return { state: "problem", subject, text: `cannot be called: ${cause}`, remedy };
    }
    if (reason === "Forbidden" && message.includes("cannot create resource")) {
      return { state: "unknown", subject, text: "could not be tried", remedy: `that takes create on ${resource.plural}` };
    }
    // What the schema refuses is not shown to the webhooks that judge.
    if (reason === "Invalid" && !message.startsWith("admission webhook ")) {
      const remedy = "give the field an example, so that there is a sample to try: .meta({ example: … })";
      return { state: "unknown", subject, text: `could not be tried: ${oneLine(message)}`, remedy };
    }
    // Whatever else it was refused for, the webhooks were asked.
  }
  return { state: "ok", subject, text: "are called" };
}

/** How long the certificate is good that webhooks show. */
export async function certificateFinding(
  { client, clock, signal }: ClusterSession,
  address: { readonly namespace: string; readonly name: string },
): Promise<Finding> {
  const subject = `Secret ${address.namespace}/${address.name}`;
  try {
    const { data = {} } = await client.get(Secret, address, { signal });
    const { validToDate } = new X509Certificate(Buffer.from(data["tls.crt"] ?? "", "base64"));
    const days = Math.floor((validToDate.getTime() - clock.now()) / 86_400_000);
    if (days >= 0) return { state: "ok", subject, text: `has a certificate that is good for ${counted(days, "day")}` };
    return {
      state: "problem",
      subject,
      text: `has a certificate that expired ${counted(-days, "day")} ago`,
      remedy: "see the log of the operator, which renews it",
    };
  } catch (error) {
    if (isReason(error, "NotFound"))
      return { state: "problem", subject, text: "is not there", remedy: "it is made when the operator runs; see its log" };
    if (isReason(error, "Forbidden")) return { state: "unknown", subject, text: "could not be read", remedy: "that takes get on secrets" };
    if (error instanceof ApiError) throw error;
    return { state: "problem", subject, text: "has no certificate that can be read", remedy: "delete it: the operator makes it anew" };
  }
}
