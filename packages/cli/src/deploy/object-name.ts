import type { KubeObject } from "@kaji/core";

/** How an object is called: `Deployment bars-system/bars`, `Namespace bars-system`. */
export function objectName({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;
}

/** Whether an object was put there for this operator, and not by another program under the same name. */
export function isOurs(object: KubeObject, operator: string): boolean {
  return operatorOf(object) === operator;
}

/** The operator that kaji has put an object there for; undefined for what another program has. */
export function operatorOf({ metadata: { labels = {} } }: KubeObject): string | undefined {
  return labels["app.kubernetes.io/managed-by"] === "kaji" ? labels["app.kubernetes.io/name"] : undefined;
}
