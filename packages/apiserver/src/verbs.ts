import { badRequest } from "@kaji/core";
import { acceptable, isWatchPath, negotiate, refuseUnoffered } from "@kaji/core/serving";
import type { ResourceVerb, Transform } from "@kaji/core/serving";
import type { Subresource } from "./subresource.ts";
import type { Target } from "./registry/target.ts";
import { connect } from "./registry/connect.ts";
import { create } from "./registry/create.ts";
import { deleteCollection } from "./registry/delete-collection.ts";
import { deleteObject } from "./registry/delete.ts";
import { get } from "./registry/get.ts";
import { list } from "./registry/list.ts";
import type { Outcome } from "./registry/outcome.ts";
import { patch } from "./registry/patch.ts";
import { proxy } from "./registry/proxy.ts";
import { getScale, patchScale, updateScale } from "./registry/scale.ts";
import { readText } from "./registry/read-text.ts";
import { runAction } from "./registry/action.ts";
import { update } from "./registry/update.ts";
import { deleteOptions } from "./request/delete-options.ts";
import type { RequestContext } from "./request/request-context.ts";
import type { ApiResponse } from "./response/api-response.ts";
import { respond, respondList } from "./response/respond.ts";
import { methodNotAllowed, unknownPath, verbNotSupported } from "./routing.ts";
import { watch } from "./watch/watch.ts";
import type { WatchHub } from "./watch/watch-hub.ts";

/** What an object that is not stored can be turned into. */
const reviewTransforms: readonly Transform[] = ["PartialObjectMetadata", "PartialObjectMetadataList"];
/** What objects, and lists of them, can be turned into. */
const transforms: readonly Transform[] = ["Table", "PartialObjectMetadata", "PartialObjectMetadataList"];
/** What the paths of lists offer besides. */
const streams = acceptable.filter((type) => !type.includes("yaml")).map((type) => `${type};stream=watch`);

/** Does what a request for a kind asks. */
export async function serve(hub: WatchHub, verb: ResourceVerb, target: Target, context: RequestContext): Promise<ApiResponse> {
  const { accept } = context.headers;
  const { kind } = target;
  const { isCustom } = kind;
  if (isCustom) warnOfVersion(target, context);
  requireVerb(verb, target, context);
  const isListPath = verb === "list" || verb === "watch";
  const other = otherThanObject(hub, target, context);
  if (other !== undefined) return other;
  if (!isCustom) {
    refuseUnoffered(accept, isListPath ? [...acceptable, ...streams] : acceptable);
    warnOfVersion(target, context);
  }
  const { answer } = target.version;
  const form = negotiate(accept, answer === undefined ? transforms : reviewTransforms, verb === "watch" ? ["json"] : ["json", "yaml"]);
  switch (verb) {
    case "list":
      return respondList(await list(hub.registry, target, context), target, context, form);
    case "deletecollection":
      return respondList(await deleteCollection(hub.registry, target, context), target, context, form);
    case "watch":
      return watch(hub, target, context, form);
    default:
      return respond(await oneObject(hub, verb, target, context), target, context, form);
  }
}

/** Refuses what a path does not offer. */
function requireVerb(verb: ResourceVerb, target: Target, { method, info }: RequestContext): void {
  const { kind, name } = target;
  const { isCustom } = kind;
  const isOddMethod = method === "OPTIONS" || (method === "HEAD" && !isCustom);
  if (!isCustom && isWatchPath(info.path) && !isAllowed(verb, target)) throw unknownPath();
  if (verb === "watch" && method !== "GET") throw methodNotAllowed();
  if (name !== undefined && !hasObjects(kind)) throw unknownPath();
  if ((isOddMethod && subresourceOf(target)?.type !== "Proxy") || !isAllowed(verb, target))
    throw isCustom ? verbNotSupported(isOddMethod ? "" : verb, kind) : methodNotAllowed();
  if (name === undefined && (verb === "update" || verb === "patch")) throw badRequest("name must be provided");
}

/** Tells who asks for a version that is deprecated. Of a custom kind that is told whatever comes of the request. */
export function warnOfVersion({ version: { deprecation } }: Target, context: RequestContext): void {
  if (deprecation !== undefined) context.warn(deprecation);
}

/** What is below an object and speaks of no kind: plain text, or another protocol. */
function otherThanObject({ registry }: WatchHub, target: Target, context: RequestContext): Promise<ApiResponse> | undefined {
  const below = subresourceOf(target);
  if (below?.type === "Text") return readText(registry, target, below, context);
  if (below?.type === "Proxy") return proxy(registry, target, below, context);
  return below?.type === "Connect" ? connect(registry, target, below, context) : undefined;
}

type ObjectVerb = Exclude<ResourceVerb, "list" | "watch" | "deletecollection">;

function oneObject(hub: WatchHub, verb: ObjectVerb, target: Target, context: RequestContext): Promise<Outcome> | Outcome {
  const { registry } = hub;
  const subresource = subresourceOf(target);
  const isScale = subresource?.type === "Scale";
  switch (verb) {
    case "get":
      return isScale ? getScale(registry, target, subresource) : get(registry, target, context);
    case "create":
      return subresource?.type === "Action" ? runAction(registry, target, subresource, context) : create(registry, target, context);
    case "update":
      return isScale ? updateScale(registry, target, subresource, context) : update(registry, target, context);
    case "patch":
      return isScale ? patchScale(registry, target, subresource, context) : patch(registry, target, context);
    case "delete":
      return deleteObject(registry, target, context, deleteOptions(context, registry.schemas.deleteOptions));
    default:
      return verb satisfies never;
  }
}

function subresourceOf({ version, subresource }: Target): Subresource | undefined {
  return subresource === undefined ? undefined : version.subresources[subresource];
}

/** Kinds that are not stored, such as reviews, can only be created. */
function hasObjects({ verbs }: Target["kind"]): boolean {
  return verbs.some((verb) => verb !== "create");
}

/** Which verbs a path offers: a kind's own, those of a subresource, and across all namespaces only reading. */
function isAllowed(verb: ResourceVerb, { kind, version, namespace, name, subresource: subresourceName }: Target): boolean {
  if (subresourceName !== undefined) {
    const subresource = version.subresources[subresourceName];
    if (subresource === undefined) return false;
    if (subresource.type === "Action") return verb === "create";
    if (subresource.type === "Text") return verb === "get";
    if (subresource.type === "Connect") return verb === "get" || verb === "create";
    if (subresource.type === "Proxy") return verb !== "watch";
    const verbs: readonly string[] = subresource.type === "Scale" ? ["get", "patch", "update"] : subresource.verbs;
    return verbs.includes(verb);
  }
  if (!kind.verbs.includes(verb)) return false;
  const isAcrossNamespaces = kind.scope === "Namespaced" && namespace === undefined;
  if (isAcrossNamespaces) return verb === "list" || verb === "watch";
  const isOfCollection = verb === "list" || verb === "watch" || verb === "deletecollection";
  // A custom kind offers all its verbs on all its paths: what is created is what is sent, and what is to be changed needs a name.
  return isOfCollection || kind.isCustom || (verb === "create") !== (name !== undefined);
}
