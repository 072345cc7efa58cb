import { textAt, valueAt } from "@kaji/core";
import type { JsonValue, TransportRequest } from "@kaji/core";
import { idOf } from "./object-id.ts";
import type { ObjectId } from "./object-id.ts";

/** What a request is about. */
export interface RequestTarget {
  readonly verb: string;
  readonly group: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** What a request is about; undefined if it is none for objects. */
export function requestTarget({ method, path }: Pick<TransportRequest, "method" | "path">): RequestTarget | undefined {
  const [bare = "", query = ""] = path.split("?", 2);
  const [root, ...parts] = bare.slice(1).split("/").map(decodeURIComponent);
  if (root !== "api" && root !== "apis") return undefined;
  const group = root === "apis" ? parts.shift() : "";
  const version = parts.shift();
  const isInNamespace = parts[0] === "namespaces" && parts.length > 2;
  const namespace = isInNamespace ? parts[1] : undefined;
  const [plural, name, subresource] = isInNamespace ? parts.slice(2) : parts;
  if (group === undefined || version === undefined || plural === undefined) return undefined;
  const verb = verbOf(method, name, query);
  return { verb, group, plural, namespace, name, subresource };
}

/** The name in a trace of the object that a request is about, of that kind; one that is to be created is named in the body. */
export function targetId({ group, namespace, name }: RequestTarget, kind: string, body: JsonValue): ObjectId {
  const writtenName = valueAt(body, "metadata", "name");
  const own = name ?? (typeof writtenName === "string" ? writtenName : `${textAt(body, "metadata", "generateName")}*`);
  return idOf(group, kind, namespace === undefined ? { name: own } : { name: own, namespace });
}

function verbOf(method: string, name: string | undefined, query: string): string {
  switch (method) {
    case "GET":
      if (new URLSearchParams(query).get("watch") === "true") return "watch";
      return name === undefined ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "DELETE":
      return name === undefined ? "deletecollection" : "delete";
    default:
      return "patch";
  }
}
