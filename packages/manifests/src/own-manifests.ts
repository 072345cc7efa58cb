import { isJsonObject, jsonOf } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { Plan } from "./manifest-options.ts";

/** What an operator says that it comes with. */
export interface OwnObjects {
  /** Roles, and who has them. */
  readonly rbac: readonly KubeObject[];
  readonly others: readonly KubeObject[];
}

const rbacKinds: readonly string[] = ["ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"];

/** Asks the operator what it comes with, in the place where it is to run. Its objects get the operator's labels, by which they are found when it has them no longer. */
export function ownObjects({ operator, name, namespace, podLabels, labels }: Plan): OwnObjects {
  const objects = (operator.manifests?.({ name, namespace, podLabels }) ?? []).map((object, index): KubeObject => {
    requireObject(object, `operator ${name}: manifests[${index}]`);
    return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } } };
  });
  return {
    rbac: objects.filter(({ kind }) => rbacKinds.includes(kind)),
    others: objects.filter(({ kind }) => !rbacKinds.includes(kind)),
  };
}

/** Throws where an object that the operator names is made from its declaration as well: one of them would be lost. */
export function requireOwnNames(operator: string, own: OwnObjects, made: readonly KubeObject[]): void {
  const names = new Set(made.map(idOf));
  const twice = [...own.rbac, ...own.others].find((object) => names.has(idOf(object)));
  if (twice === undefined) return;
  throw new TypeError(
    `operator ${operator}: manifests has ${idOf(twice)}, which follows from its declaration already; give it another name`,
  );
}

/** The types say so too, but what reads an operator does not look at types. */
function requireObject(object: KubeObject, place: string): void {
  const { apiVersion, kind, metadata } = jsonOf(object);
  const isNamed = isJsonObject(metadata) && typeof metadata["name"] === "string" && metadata["name"] !== "";
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !isNamed)
    throw new TypeError(`${place} has to have apiVersion, kind and metadata.name`);
  if (kind === "CustomResourceDefinition")
    throw new TypeError(`${place} is a CustomResourceDefinition: name its resource in resources instead`);
}

function idOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}
