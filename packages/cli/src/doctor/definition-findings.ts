import { unlessGone } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { isUnconverted, misfitRemedy, misfitsOf } from "../deploy/misfits.ts";
import { objectName } from "../deploy/object-name.ts";
import type { Finding } from "./finding.ts";

/** Whether definitions that are there are in use, and whether all that is stored can be read in the versions that the operator has. What is not there is told elsewhere. */
export async function definitionFindings(session: ClusterSession, resources: readonly ResourceDefinition[]): Promise<readonly Finding[]> {
  const found = await Promise.all(resources.map((resource) => definitionFinding(session, resource)));
  return found.filter((finding) => finding !== undefined);
}

/** Whether what is stored is what the operator takes it for. */
export async function objectFindings(session: ClusterSession, resources: readonly ResourceDefinition[]): Promise<readonly Finding[]> {
  return Promise.all(resources.map((resource) => objectFinding(session, resource)));
}

async function objectFinding(session: ClusterSession, resource: ResourceDefinition): Promise<Finding> {
  const subject = `objects of ${resource.kind}`;
  try {
    const text = await misfitsOf(session, resource);
    if (text === undefined) return { state: "ok", subject, text: "fit the definition" };
    return { state: "problem", subject, text, remedy: misfitRemedy };
  } catch (error) {
    if (!isUnconverted(error, resource)) throw error;
    const remedy = "the operator has to run, which converts them between versions, and to convert each: its log says more";
    return { state: "problem", subject, text: `cannot be read: ${error.message}`, remedy };
  }
}

async function definitionFinding({ client, signal }: ClusterSession, resource: ResourceDefinition): Promise<Finding | undefined> {
  const { metadata } = resource.crd();
  const subject = `versions of ${resource.kind}`;
  const live = await unlessGone(client.get(CustomResourceDefinition, metadata, { signal }));
  if (live === undefined) return undefined;
  const { conditions = [], storedVersions = [] } = live.status ?? {};
  const refused = conditions.find(({ type, status }) => (type === "NamesAccepted" || type === "Established") && status === "False");
  if (refused !== undefined) {
    const remedy = "remove the definition that is in its way, or choose other names";
    return { state: "problem", subject, text: `are not offered: ${refused.message || refused.reason}`, remedy };
  }
  const lost = storedVersions.filter((version) => !Object.hasOwn(resource.versions, version));
  if (lost.length > 0) {
    const text = `there may be objects stored in ${lost.join(", ")}, which ${objectName(live)} would lose`;
    return {
      state: "problem",
      subject,
      text,
      remedy: "keep that version in the definition until kaji migrate has written every object anew in another",
    };
  }
  return {
    state: "ok",
    subject,
    text: `are ${Object.keys(resource.versions).join(", ")}; stored in ${storedVersions.join(", ") || "none yet"}${storedVersions.length > 1 ? ", of which kaji migrate leaves the present one" : ""}`,
  };
}
