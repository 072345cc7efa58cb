import { existsSync } from "node:fs";
import { join } from "node:path";
import { objectOf, textAt } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import { applyObjects, servedResource } from "../deploy/apply-objects.ts";
import type { ChangeReport } from "../deploy/change-report.ts";
import { lookAtDefinitions } from "../deploy/definitions.ts";
import { waitUntil } from "../deploy/wait-until.ts";
import { readObjectFiles } from "../object-files.ts";
import type { FileValue } from "../object-files.ts";
import type { Project } from "../project/project.ts";

const timeoutMs = 30_000;

/** The objects that a project has its development cluster start with, such as definitions of others: all that its files have now. */
export function readDevResources({ folder, devResources }: Pick<Project, "devResources" | "folder">): readonly KubeObject[] {
  return devResources.flatMap((path) => {
    const place = join(folder, path);
    if (!existsSync(place)) throw new CommandError(`package.json: kaji.dev.resources: there is no ${path} in ${folder}`);
    return readObjectFiles(place).map(objectIn);
  });
}

/** Brings objects to the cluster that is developed on: definitions first, and all else when their kinds are served. What is in no namespace, and needs one, goes into `default`, as with kubectl. */
export async function bringResources(
  session: ClusterSession,
  objects: readonly KubeObject[],
  { operator, report }: { readonly operator: string; readonly report: ChangeReport },
): Promise<void> {
  const definitions = objects.filter(isDefinition);
  await applyObjects(session, definitions, { operator, report });
  await waitUntil(session, { report, timeoutMs, look: () => lookAtDefinitions(session, definitions) });
  for (const object of objects) {
    if (isDefinition(object)) continue;
    const { scope } = await servedResource(session, object);
    const { namespace = "default", ...metadata } = object.metadata;
    const placed = scope === "Namespaced" ? { ...object, metadata: { ...metadata, namespace } } : object;
    await applyObjects(session, [placed], { operator, report });
  }
}

function objectIn({ file, value }: FileValue): KubeObject {
  const needed = [["apiVersion"], ["kind"], ["metadata", "name"]] as const;
  if (needed.every((path) => textAt(value, ...path) !== "")) return objectOf(value);
  throw new CommandError(`${file} has something that is no object: it needs apiVersion, kind and metadata.name`);
}

function isDefinition(object: KubeObject): object is CustomResourceDefinition {
  return object.kind === "CustomResourceDefinition" && object.apiVersion.startsWith("apiextensions.k8s.io/");
}
