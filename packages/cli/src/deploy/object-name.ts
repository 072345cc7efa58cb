import type { KubeObject } from "@kaji/core";

/** How an object is called: `Deployment bars-system/bars`, `Namespace bars-system`. */
export function objectName({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;
}

/** Whether an object was put there for this operator, and not by another program under the same name. */
export function isOurs({ metadata }: KubeObject, operator: string): boolean {
  const { labels = {} } = metadata;
  return labels["app.kubernetes.io/managed-by"] === "kaji" && labels["app.kubernetes.io/name"] === operator;
}
