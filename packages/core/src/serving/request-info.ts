import type { TransportRequest } from "../outside/transport.ts";

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
  /** What follows the subresource in the path; nothing but the target of a proxy has it. */
  readonly subpath?: string;
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

/** Below objects, what goes on for as long as both sides want. */
const streams: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** Whether a request goes on for as long as both sides want, so that no time is set for it. */
export function goesOn(info: RequestInfo): boolean {
  return info.verb === "watch" || (info.type === "Resource" && streams.has(info.subresource ?? ""));
}

/** Subresources of a namespace itself, which are not kinds inside it. */
const namespaceSubresources = new Set(["status", "finalize"]);

/**
 * Reads a request as the Kubernetes API conventions lay out its paths. The path is decoded before it is taken apart, so that an encoded slash
 * is a slash for authorization and for routing alike.
 */
export function requestInfo(method: TransportRequest["method"], encodedPath: string, query: URLSearchParams): RequestInfo {
  const path = decoded(encodedPath);
  const other: PathRequest = { type: "Path", verb: method.toLowerCase(), path: path ?? encodedPath };
  if (path === undefined) return other;
  const verb = verbOfMethod[method];
  const [root, ...rest] = withoutOuterSlashes(path).split("/");
  if (root === "api" && rest.length >= 2)
    return resourceRequest({ group: "", version: rest[0] ?? "", parts: rest.slice(1), verb, path, query });
  if (root === "apis" && rest.length >= 3) {
    return resourceRequest({ group: rest[0] ?? "", version: rest[1] ?? "", parts: rest.slice(2), verb, path, query });
  }
  return other;
}

/** Whether it is one of the old paths for watches, such as `/api/v1/watch/pods`. Built-in kinds that cannot be watched have none. */
export function isWatchPath(path: string): boolean {
  return /^\/*api(s\/[^/]*)?\/[^/]*\/watch\/./.test(path);
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
  const isOldWatch = allParts[0] === "watch" && allParts.length > 1;
  const parts = isOldWatch ? allParts.slice(1) : allParts;
  const { subpath, ...location } = locate(parts);
  const { name } = location;
  const isWatch = isOldWatch || (name === undefined && verb === "get" && isTrue(query.get("watch")));
  return {
    type: "Resource",
    verb: isWatch ? "watch" : verbFor(verb, name),
    group,
    version,
    ...location,
    ...(subpath === "" ? {} : { subpath }),
    path,
  };
}

function verbFor(verb: ResourceVerb, name: string | undefined): ResourceVerb {
  if (name !== undefined) return verb;
  if (verb === "get") return "list";
  return verb === "delete" ? "deletecollection" : verb;
}

interface Location {
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Empty when there is none. */
  readonly subpath: string;
}

function locate(parts: readonly string[]): Location {
  const [first = "", second, third, ...more] = parts;
  const isInside = first === "namespaces" && third !== undefined && !namespaceSubresources.has(third);
  const [resource = "", name, subresource, ...subpath] = isInside ? [third, ...more] : parts;
  const namespace = first === "namespaces" ? nonEmpty(second) : undefined;
  return { namespace, resource, name: nonEmpty(name), subresource: nonEmpty(subresource), subpath: subpath.join("/") };
}

/** Without the slashes at its ends. A regular expression would look for the end from every slash anew: minutes, for a path of many. */
export function withoutOuterSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return path.slice(start, end);
}

/** What two slashes in a row leave out. */
function nonEmpty(segment: string | undefined): string | undefined {
  return segment === "" ? undefined : segment;
}

/** Undefined when the path holds something that is not valid percent-encoding. */
function decoded(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** As Kubernetes reads a boolean parameter: absent, `0` and `false` are false, everything else, even empty, is true. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}
