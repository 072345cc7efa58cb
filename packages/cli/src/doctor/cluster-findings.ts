import { isReason } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { OperatorManifests } from "@kaji/manifests";
import { Deployment } from "@kaji/types/apps/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { applyObject, readIfPresent, servedResource } from "../deploy/apply-objects.ts";
import { lookAtRollout } from "../deploy/rollout.ts";
import { objectName } from "../deploy/object-name.ts";
import { schemaChanges } from "../deploy/schema-changes.ts";
import { shortList } from "../deploy/short-list.ts";
import type { Finding } from "./finding.ts";

/** The oldest and the newest Kubernetes that kaji is meant for. */
const oldestMinor = 30;
const newestMinor = 36;

/** Whether the cluster is of a version that kaji is meant for. */
export async function versionFinding({ client, signal }: ClusterSession): Promise<Finding> {
  const { major, minor, gitVersion } = await client.discovery.version(signal);
  const subject = "Kubernetes";
  const number = Number(major) * 1000 + Number.parseInt(minor, 10) - 1000;
  if (number < oldestMinor)
    return { state: "problem", subject, text: `is ${gitVersion}`, remedy: `kaji is meant for 1.${oldestMinor} and newer` };
  if (number <= newestMinor) return { state: "ok", subject, text: `is ${gitVersion}` };
  return {
    state: "unknown",
    subject,
    text: `is ${gitVersion}`,
    remedy: `this kaji knows 1.${newestMinor}; see whether there is a newer one`,
  };
}

/** Whether the definitions and roles, and what else it comes with, are there, and are those of the operator as it is now. Needs a session whose writes are dry runs. */
export async function installedFindings(
  session: ClusterSession,
  { crds, rbac, others }: OperatorManifests,
  developedAt: string | undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  // There is no Pod behind an API of an operator that is developed.
  const used = others.filter(({ kind }) => developedAt === undefined || kind !== "APIService");
  for (const object of [...crds, ...rbac, ...used]) findings.push(await installedFinding(session, object));
  return findings;
}

async function installedFinding(session: ClusterSession, object: KubeObject): Promise<Finding> {
  const subject = objectName(object);
  const remedy = object.kind === "CustomResourceDefinition" ? "kaji install puts it there" : "kaji deploy puts it there";
  const resource = await servedResource(session, object);
  const live = await readIfPresent(session, resource, object);
  if (live === undefined) return { state: "problem", subject, text: "is not there", remedy };
  try {
    const { fields } = await applyObject(session, resource, object, { before: live, dryRun: true });
    if (fields.length === 0) return { state: "ok", subject, text: "is as declared" };
    return { state: "problem", subject, text: `differs from what is declared in ${shortList(schemaChanges(fields))}`, remedy };
  } catch (error) {
    if (!isReason(error, "Forbidden") && !isReason(error, "Invalid")) throw error;
    return { state: "unknown", subject, text: "could not be compared", remedy: error.message };
  }
}

/** Whether the operator runs. */
export async function rolloutFinding(
  session: ClusterSession,
  { manager }: OperatorManifests,
  developedAt: string | undefined,
): Promise<Finding> {
  const deployment = manager.find(({ kind }) => kind === "Deployment");
  const subject = deployment === undefined ? "Deployment" : objectName(deployment);
  if (deployment === undefined) return { state: "ok", subject, text: "is not needed" };
  try {
    const progress = await lookAtRollout(session, deployment);
    if (progress.done) {
      const { status } = await session.client.get(Deployment, deployment.metadata, { signal: session.signal });
      return { state: "ok", subject, text: `has ${status?.availableReplicas ?? 0} available` };
    }
    return {
      state: "problem",
      subject,
      text: progress.state.replace(/^waiting for \S+ \S+: /, ""),
      remedy: "kubectl describe pods and kubectl logs tell more",
    };
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
    if (developedAt !== undefined)
      return { state: "ok", subject, text: `is not there: kaji dev has the operator called at ${developedAt}` };
    return { state: "problem", subject, text: "is not there", remedy: "kaji deploy puts it there" };
  }
}
