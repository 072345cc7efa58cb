import type { Target } from "./registry/target.ts";
import { create } from "./registry/create.ts";
import { deleteCollection } from "./registry/delete-collection.ts";
import { deleteObject } from "./registry/delete.ts";
import { get } from "./registry/get.ts";
import { list } from "./registry/list.ts";
import type { Outcome } from "./registry/outcome.ts";
import { patch } from "./registry/patch.ts";
import { getScale, patchScale, updateScale } from "./registry/scale.ts";
import { runAction } from "./registry/action.ts";
import { update } from "./registry/update.ts";
import { deleteOptions } from "./request/delete-options.ts";
import { negotiate } from "./request/media-type.ts";
import type { Transform } from "./request/media-type.ts";
import type { RequestContext } from "./request/request-context.ts";
import type { ResourceVerb } from "./request/request-info.ts";
import type { Answer } from "./response/answer.ts";
import { respond, respondList } from "./response/respond.ts";
import { methodNotAllowed } from "./routing.ts";
import { watch } from "./watch/watch.ts";
import type { WatchHub } from "./watch/watch-hub.ts";

const ofObject: readonly Transform[] = ["Table", "PartialObjectMetadata"];
const ofList: readonly Transform[] = ["Table", "PartialObjectMetadataList"];

/** Does what a request for a kind asks. */
export async function serve(hub: WatchHub, verb: ResourceVerb, target: Target, context: RequestContext): Promise<Answer> {
  const { accept } = context.headers;
  if (!isAllowed(verb, target)) throw methodNotAllowed();
  const { deprecation } = target.version;
  if (deprecation !== undefined) context.warn(deprecation);
  switch (verb) {
    case "list": {
      const form = negotiate(accept, ofList);
      return respondList(await list(hub.registry, target, context), target, context, form);
    }
    case "deletecollection": {
      const form = negotiate(accept, ofList);
      return respondList(await deleteCollection(hub.registry, target, context), target, context, form);
    }
    case "watch":
      return watch(hub, target, context, negotiate(accept, ofObject, ["json"]));
    default: {
      const form = negotiate(accept, ofObject);
      return respond(await oneObject(hub, verb, target, context), target, context, form);
    }
  }
}

type ObjectVerb = Exclude<ResourceVerb, "list" | "watch" | "deletecollection">;

function oneObject(hub: WatchHub, verb: ObjectVerb, target: Target, context: RequestContext): Promise<Outcome> | Outcome {
  const { registry } = hub;
  const subresource = target.subresource === undefined ? undefined : target.version.subresources[target.subresource];
  const isScale = subresource?.type === "Scale";
  switch (verb) {
    case "get":
      return isScale ? getScale(registry, target, subresource) : get(registry, target);
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

/** Which verbs a path offers: a kind's own, those of a subresource, and across all namespaces only reading. */
function isAllowed(verb: ResourceVerb, { kind, version, namespace, name, subresource: subresourceName }: Target): boolean {
  if (subresourceName !== undefined) {
    const subresource = version.subresources[subresourceName];
    if (subresource === undefined) return false;
    if (subresource.type === "Action") return verb === "create";
    const verbs: readonly string[] = subresource.type === "Scale" ? ["get", "patch", "update"] : subresource.verbs;
    return verbs.includes(verb);
  }
  if (!kind.verbs.includes(verb)) return false;
  const isAcrossNamespaces = kind.scope === "Namespaced" && namespace === undefined;
  if (isAcrossNamespaces) return verb === "list" || verb === "watch";
  return (verb === "create") !== (name !== undefined) || verb === "list" || verb === "watch" || verb === "deletecollection";
}
