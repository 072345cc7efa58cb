import type { TransportRequest } from "@kaji/core";

/** What a request asks for, read from its method and path alone. */
export type RequestInfo = ResourceRequest | PathRequest;

/** A request for objects of a kind. */
export interface ResourceRequest {
  readonly type: "Resource";
  readonly verb: ResourceVerb;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly path: string;
}

/** A request for anything else, such as `/healthz` or `/apis`. */
export interface PathRequest {
  readonly type: "Path";
  readonly verb: string;
  readonly path: string;
}

/** What is asked of a kind, in the words of RBAC. */
export type ResourceVerb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

/** No kind offers HEAD or OPTIONS, but what they ask is nothing but reading. */
const verbOfMethod: Readonly<Record<TransportRequest["method"], ResourceVerb>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
  OPTIONS: "get",
};

/** Subresources of a namespace itself, which are not kinds inside it. */
const namespaceSubresources = new Set(["status", "finalize"]);

/** Reads a request as the Kubernetes API conventions lay out its paths. */
export function requestInfo(method: TransportRequest["method"], path: string, query: URLSearchParams): RequestInfo {
  const other: PathRequest = { type: "Path", verb: method.toLowerCase(), path };
  const segments = decodeSegments(path);
  const verb = verbOfMethod[method];
  if (segments === undefined) return other;
  const [root, ...rest] = segments;
  if (root === "api" && rest.length >= 2)
    return resourceRequest({ group: "", version: rest[0] ?? "", parts: rest.slice(1), verb, path, query });
  if (root === "apis" && rest.length >= 3) {
    return resourceRequest({ group: rest[0] ?? "", version: rest[1] ?? "", parts: rest.slice(2), verb, path, query });
  }
  return other;
}

interface ResourcePath {
  readonly group: string;
  readonly version: string;
  /** What follows the version. */
  readonly parts: readonly string[];
  readonly verb: ResourceVerb;
  readonly path: string;
  readonly query: URLSearchParams;
}

function resourceRequest({ group, version, parts: allParts, verb, path, query }: ResourcePath): ResourceRequest {
  const isWatchPath = allParts[0] === "watch" && allParts.length > 1;
  const parts = isWatchPath ? allParts.slice(1) : allParts;
  const { namespace, resource, name, subresource } = locate(parts);
  const isWatch = isWatchPath || (name === undefined && verb === "get" && isTrue(query.get("watch")));
  return {
    type: "Resource",
    verb: verbFor(verb, name, isWatch),
    group,
    version,
    resource,
    namespace,
    name,
    subresource,
    path,
  };
}

function verbFor(verb: ResourceVerb, name: string | undefined, isWatch: boolean): ResourceVerb {
  if (verb === "get" && isWatch) return "watch";
  if (name !== undefined) return verb;
  if (verb === "get") return "list";
  return verb === "delete" ? "deletecollection" : verb;
}

interface Location {
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

function locate(parts: readonly string[]): Location {
  const [first = "", second, third, ...more] = parts;
  if (first === "namespaces" && second !== undefined && third !== undefined && !namespaceSubresources.has(third)) {
    const [name, ...subresource] = more;
    return { namespace: second, resource: third, name, subresource: joined(subresource) };
  }
  const subresource = joined(third === undefined ? [] : [third, ...more]);
  return { namespace: first === "namespaces" ? second : undefined, resource: first, name: second, subresource };
}

function joined(segments: readonly string[]): string | undefined {
  return segments.length === 0 ? undefined : segments.join("/");
}

/** Undefined when the path holds something that is not valid percent-encoding. */
function decodeSegments(path: string): readonly string[] | undefined {
  try {
    return path
      .split("/")
      .slice(1)
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** As Kubernetes reads a boolean parameter: absent, `0` and `false` are false, everything else, even empty, is true. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}
