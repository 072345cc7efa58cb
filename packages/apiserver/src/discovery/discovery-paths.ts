import { createHash } from "node:crypto";
import { acceptable, negotiate, refuseUnoffered } from "@kaji/core/serving";
import type { PathHandler } from "../api-server.ts";
import type { KindRegistry } from "../kind-registry.ts";
import type { RequestContext } from "../request/request-context.ts";
import { bytesResponse } from "../response/api-response.ts";
import type { ApiResponse } from "../response/api-response.ts";
import { valueResponse } from "../response/respond.ts";
import { isBuiltIn, methodNotAllowed, pageNotFound, unknownPath } from "../routing.ts";
import { aggregatedDiscovery } from "./aggregated-discovery.ts";
import { groupVersion } from "./api-resources.ts";
import { noRemoteVersions } from "./remote-versions.ts";
import type { RemoteVersions } from "./remote-versions.ts";
import { servedGroup, servedGroups } from "./served-groups.ts";
import type { ServedGroup } from "./served-groups.ts";

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Answers what there is: `/api`, `/apis` and all below them that is not an object; with what other servers serve behind this one. */
export function discoveryPaths(kinds: KindRegistry, remote: RemoteVersions = noRemoteVersions): Readonly<Record<string, PathHandler>> {
  const served: Served = { kinds, remote };
  const core: PathHandler = (context) => root(served, "/api", context);
  const groups: PathHandler = (context) => root(served, "/apis", context);
  const anyBelow: PathHandler = (context) => below(served, context);
  return { "/api": core, "/api/": anyBelow, "/apis": groups, "/apis/": anyBelow };
}

interface Served {
  readonly kinds: KindRegistry;
  readonly remote: RemoteVersions;
}

function root({ kinds, remote }: Served, path: "/api" | "/apis", context: RequestContext): ApiResponse {
  const form = negotiate(context.headers["accept"], ["APIGroupDiscoveryList"]);
  if (form.transform === "APIGroupDiscoveryList") {
    return aggregated(path === "/api" ? [servedGroup(kinds, "", [])] : servedGroups(kinds, remote), context);
  }
  const document = path === "/api" ? apiVersions() : apiGroupList(servedGroups(kinds, remote));
  return valueResponse(200, document, context, form);
}

/** A client that has this very document already is told so. */
function aggregated(groups: readonly ServedGroup[], { headers }: RequestContext): ApiResponse {
  const body = new TextEncoder().encode(JSON.stringify(aggregatedDiscovery(groups)));
  const etag = `"${createHash("sha512").update(body).digest("hex").toUpperCase()}"`;
  const isKnown = headers["if-none-match"] === etag;
  const response = bytesResponse(isKnown ? 304 : 200, aggregatedType, isKnown ? new Uint8Array() : body);
  return { ...response, headers: { ...response.headers, "cache-control": "public", etag, vary: "Accept" } };
}

/** `/api/v1`, `/apis/apps` and `/apis/apps/v1`; the roots again, with a slash behind them; nothing else. */
function below(served: Served, context: RequestContext): ApiResponse {
  const { kinds, remote } = served;
  const [rootName, ...rest] = context.info.path.split("/").filter((segment) => segment !== "");
  const isCore = rootName === "api";
  const [name = "", version] = isCore ? ["", rest[0]] : rest;
  if (rest.length === 0) return root(served, isCore ? "/api" : "/apis", context);
  const group = servedGroup(kinds, name, remote.versions());
  if (group.versions.length === 0) return pageNotFound();
  const found = rest.length === (isCore ? 1 : 2) ? group.versions.find((each) => each.version === version) : undefined;
  // What is not there is not there in any form.
  if (version !== undefined && found === undefined) {
    if (isBuiltIn(kinds, name)) throw unknownPath();
    return pageNotFound();
  }
  if (context.method !== "GET") throw methodNotAllowed();
  refuseUnoffered(context.headers["accept"], acceptable);
  const form = negotiate(context.headers["accept"], []);
  if (found === undefined) return valueResponse(200, { kind: "APIGroup", apiVersion: "v1", ...apiGroup(group) }, context, form);
  // The core group, which is older than the others, does not say what version its list is of.
  const type = { kind: "APIResourceList", ...(isCore ? {} : { apiVersion: "v1" }) };
  const document = { ...type, groupVersion: groupVersion(name, found.version).groupVersion, resources: found.resources() };
  return valueResponse(200, document, context, form);
}

function apiVersions(): unknown {
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
}

function apiGroupList(groups: readonly ServedGroup[]): unknown {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(apiGroup) };
}

function apiGroup({ name, versions }: ServedGroup): Readonly<Record<string, unknown>> {
  const listed = versions.map(({ version }) => groupVersion(name, version));
  return { name, versions: listed, preferredVersion: listed[0] };
}
