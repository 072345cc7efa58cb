import { formatApiVersion, isRecord } from "@kaji/core";
import type { FailedRequest, KubeList, KubeObject, Resource } from "@kaji/core";
import { TransportError } from "../transport-error.ts";

/** An item just parsed, to which there is no other reference yet: it may be changed. */
interface FreshItem {
  apiVersion?: string;
  kind?: string;
}

/** A list as it was parsed, its items with the `apiVersion` and `kind` that servers leave out in lists of built-in kinds. */
export function typedList<T extends KubeObject>(parsed: unknown, resource: Resource<T>, request: FailedRequest): KubeList<T> {
  if (!isList<T>(parsed)) throw new TransportError("Malformed", "the response is not a list of objects", { request });
  const apiVersion = formatApiVersion(resource);
  // Go writes a nil slice as null.
  const items = parsed.items ?? [];
  for (const item of items as readonly FreshItem[]) {
    item.apiVersion ??= apiVersion;
    item.kind ??= resource.kind;
  }
  return { ...parsed, items };
}

type ParsedList<T extends KubeObject> = Omit<KubeList<T>, "items"> & { readonly items: readonly T[] | null };

function isList<T extends KubeObject>(value: unknown): value is ParsedList<T> {
  if (!isRecord(value) || !("items" in value) || !isRecord(value["metadata"])) return false;
  return value["items"] === null || (Array.isArray(value["items"]) && value["items"].every(isRecord));
}
