import type { KindRegistry, RequestRecord, ResourceRequest } from "@kaji/apiserver";

/** What of a request its metrics tell apart, apart from how it was answered. The order is that of the real server. */
export interface RequestLabels {
  readonly component: string;
  readonly dry_run: string;
  readonly group: string;
  readonly resource: string;
  readonly scope: string;
  readonly subresource: string;
  readonly verb: string;
  readonly version: string;
}

/** The labels of a request; undefined for what is not served, of which there could be any number. */
export function requestLabels({ info, request }: Pick<RequestRecord, "info" | "request">, kinds: KindRegistry): RequestLabels | undefined {
  if (info.type === "Path") {
    const subresource = servedPath(info.path);
    const component = info.path.startsWith("/api") ? "apiserver" : "";
    if (subresource === undefined) return undefined;
    return { component, dry_run: "", group: "", resource: "", scope: "", subresource, verb: info.verb.toUpperCase(), version: "" };
  }
  const { group, version, resource, subresource = "" } = info;
  if (kinds.find(group, version, resource) === undefined) return undefined;
  return {
    component: "apiserver",
    dry_run: dryRun(request.path),
    group,
    resource,
    scope: scopeOf(info),
    subresource,
    verb: verbOf(info, request.headers["content-type"] ?? ""),
    version,
  };
}

const health = /^\/(healthz|livez|readyz)$/;
const others = /^\/(api|apis|version|metrics|openapi\/v2|openapi\/v3)\b/;

function servedPath(path: string): string | undefined {
  return health.test(path) ? path : others.exec(path)?.[1];
}

const connections: ReadonlySet<string> = new Set(["attach", "exec", "portforward", "proxy"]);
const verbs: Readonly<Record<ResourceRequest["verb"], string>> = {
  create: "POST",
  delete: "DELETE",
  deletecollection: "DELETECOLLECTION",
  get: "GET",
  list: "LIST",
  patch: "PATCH",
  update: "PUT",
  watch: "WATCH",
};

function verbOf({ verb, subresource = "" }: ResourceRequest, contentType: string): string {
  if (connections.has(subresource)) return "CONNECT";
  return verb === "patch" && contentType.startsWith("application/apply-patch+") ? "APPLY" : verbs[verb];
}

/** Who creates an object means that one, though its name is not in the path. */
function scopeOf({ verb, name, namespace }: ResourceRequest): string {
  if (name !== undefined || verb === "create") return "resource";
  return namespace === undefined ? "cluster" : "namespace";
}

function dryRun(path: string): string {
  return path.includes("dryRun=All") ? "All" : "";
}
