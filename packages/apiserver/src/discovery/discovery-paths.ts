import { createHash } from "node:crypto";
import type { PathHandler } from "../api-server.ts";
import type { KindRegistry } from "../kind-registry.ts";
import { acceptable, negotiate, refuseUnoffered } from "../request/media-type.ts";
import type { RequestContext } from "../request/request-context.ts";
import { bytesAnswer } from "../response/answer.ts";
import type { Answer } from "../response/answer.ts";
import { valueAnswer } from "../response/respond.ts";
import { isBuiltIn, methodNotAllowed, pageNotFound, unknownPath } from "../routing.ts";
import { aggregatedDiscovery } from "./aggregated-discovery.ts";
import { apiResources, groupVersion, groupsOf, versionsOf } from "./api-resources.ts";

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Answers what there is: `/api`, `/apis` and all below them that is not an object. */
export function discoveryPaths(kinds: KindRegistry): Readonly<Record<string, PathHandler>> {
  const core: PathHandler = (context) => root(kinds, "/api", context);
  const groups: PathHandler = (context) => root(kinds, "/apis", context);
  const anyBelow: PathHandler = (context) => below(kinds, context);
  return { "/api": core, "/api/": anyBelow, "/apis": groups, "/apis/": anyBelow };
}

function root(kinds: KindRegistry, path: "/api" | "/apis", context: RequestContext): Answer {
  const form = negotiate(context.headers["accept"], ["APIGroupDiscoveryList"]);
  if (form.transform === "APIGroupDiscoveryList") return aggregated(kinds, path, context);
  const document = path === "/api" ? apiVersions() : apiGroupList(kinds);
  return valueAnswer(200, document, context, form);
}

/** A client that has this very document already is told so. */
function aggregated(kinds: KindRegistry, path: "/api" | "/apis", { headers }: RequestContext): Answer {
  const body = new TextEncoder().encode(JSON.stringify(aggregatedDiscovery(kinds, path)));
  const etag = `"${createHash("sha512").update(body).digest("hex").toUpperCase()}"`;
  const isKnown = headers["if-none-match"] === etag;
  const answer = bytesAnswer(isKnown ? 304 : 200, aggregatedType, isKnown ? new Uint8Array() : body);
  return { ...answer, headers: { ...answer.headers, "cache-control": "public", etag, vary: "Accept" } };
}

/** `/api/v1`, `/apis/apps` and `/apis/apps/v1`; the roots again, with a slash behind them; nothing else. */
function below(kinds: KindRegistry, context: RequestContext): Answer {
  const [rootName, ...rest] = context.info.path.split("/").filter((segment) => segment !== "");
  const isCore = rootName === "api";
  const [group = "", version] = isCore ? ["", rest[0]] : rest;
  if (rest.length === 0) return root(kinds, isCore ? "/api" : "/apis", context);
  if (!isCore && !groupsOf(kinds).includes(group)) return pageNotFound();
  if (context.method !== "GET" && rest.length <= (isCore ? 1 : 2)) throw methodNotAllowed();
  refuseUnoffered(context.headers["accept"], acceptable);
  const form = negotiate(context.headers["accept"], []);
  if (version === undefined) return valueAnswer(200, { kind: "APIGroup", apiVersion: "v1", ...apiGroup(kinds, group) }, context, form);
  const isKnown = versionsOf(kinds, group).includes(version) && rest.length === (isCore ? 1 : 2);
  if (!isKnown) {
    if (isBuiltIn(kinds, group)) throw unknownPath();
    return pageNotFound();
  }
  const { groupVersion: name } = groupVersion(group, version);
  // The core group, which is older than the others, does not say what version its list is of.
  const type = { kind: "APIResourceList", ...(isCore ? {} : { apiVersion: "v1" }) };
  const document = { ...type, groupVersion: name, resources: apiResources(kinds, group, version) };
  return valueAnswer(200, document, context, form);
}

function apiVersions(): unknown {
  return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] };
}

function apiGroupList(kinds: KindRegistry): unknown {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groupsOf(kinds).map((group) => apiGroup(kinds, group)) };
}

function apiGroup(kinds: KindRegistry, name: string): Readonly<Record<string, unknown>> {
  const versions = versionsOf(kinds, name).map((version) => groupVersion(name, version));
  return { name, versions, preferredVersion: versions[0] };
}
