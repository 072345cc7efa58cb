import { resource } from "@kaji/core";
import type { Resource } from "@kaji/core";

/** Stands for all kinds in what a controller declares: see `anyKind`. */
export interface AnyKind {
  readonly type: "AnyKind";
}

/**
 * All kinds, for a controller or a webhook that knows only at run time which: `uses: [use(anyKind, "get", "patch")]` allows these verbs on each, and in its role on `*`. Which kind an object is of
 * says `live.resourceOf(object)`. With `owns: [anyKind]` a controller may apply children of any kind, with `watches: [anyKind]` read any from memory: `cache.resourceOf(object)` is its kind, once
 * it is mirrored. A kind that has been met is mirrored until the program ends.
 */
export const anyKind: AnyKind = Object.freeze({ type: "AnyKind" });

/** What stands for all kinds in declarations, and in the rules of a role. */
const everyResource: Resource = resource({ group: "*", version: "*", kind: "anyKind", plural: "*", scope: "Namespaced" });

/** What a declaration is about. */
export function declaredResource<Of extends object>(of: Of | AnyKind): Of | Resource {
  return isAnyKind(of) ? everyResource : of;
}

/** Whether a declaration is about all kinds. */
export function isOfAnyKind({ resource: declared }: { readonly resource: Resource }): boolean {
  return declared === everyResource;
}

function isAnyKind(of: object): of is AnyKind {
  return "type" in of && of.type === "AnyKind";
}
