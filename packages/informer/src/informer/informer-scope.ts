import { formatKind, parseFieldSelector, parseSelector } from "@kaji/core";
import type { FieldRequirement, KubeObject, ListerWatcherScope } from "@kaji/core";
import type { View } from "../store/view.ts";

/** Which objects of a kind an informer mirrors. All that is stated must hold. */
export interface InformerScope {
  /** Default: all namespaces. */
  readonly namespaces?: readonly string[] | undefined;
  /** In the text form of the API. Default: whatever the labels. */
  readonly labelSelector?: string | undefined;
  /** In the text form of the API. Default: whatever the fields. */
  readonly fieldSelector?: string | undefined;
}

/**
 * Whether the selectors of a scope hold for an object, which is not asked for where there are none: what the server would say of it, or could. Throws
 * a `ParseError` for a selector that is none.
 */
export function compileScope({ labelSelector = "", fieldSelector = "" }: InformerScope): (object: () => KubeObject) => boolean {
  if (labelSelector === "" && fieldSelector === "") return () => true;
  const labels = parseSelector(labelSelector);
  const { requirements } = parseFieldSelector(fieldSelector);
  return (parse) => {
    const object = parse();
    return labels.matches(object.metadata.labels) && requirements.every((requirement) => mayHold(requirement, object));
  };
}

/** What to ask the server for: one request for each namespace, or one for all. */
export function requestScopes(
  { namespaces, labelSelector, fieldSelector }: InformerScope,
  view: View<KubeObject>,
): readonly ListerWatcherScope[] {
  if (namespaces?.length === 0)
    throw new TypeError(`${formatKind(view.resource)}: an informer of no namespaces would mirror nothing; leave them out to mirror all`);
  const selection = {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(view.type === "Metadata" ? { metadataOnly: true } : {}),
  };
  if (namespaces === undefined) return [selection];
  return [...new Set(namespaces)].map((namespace) => ({ namespace, ...selection }));
}

/** A text that scopes have in common if they mean the same, and only then. */
export function scopeText({ namespaces, labelSelector = "", fieldSelector = "" }: InformerScope): string {
  if (namespaces === undefined && labelSelector === "" && fieldSelector === "") return "";
  const labels = parseSelector(labelSelector).toString();
  const fields = parseFieldSelector(fieldSelector).toString();
  return JSON.stringify([namespaces?.toSorted() ?? null, labels, fields]);
}

/** A flag or a number that is not there is `false` or `0` to the server if the kind is built in, as `spec.unschedulable` of a Node, and else it is empty. */
function mayHold({ field, operator, value }: FieldRequirement, object: KubeObject): boolean {
  const text = fieldText(object, field);
  if (text === undefined && (value === "false" || value === "0")) return true;
  return ((text ?? "") === value) === (operator === "=");
}

/** Field selectors name fields by their path, as API objects have them. */
function fieldText(object: KubeObject, path: string): string | undefined {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
