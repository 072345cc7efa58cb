import type { Resource } from "@kaji/core";
import type { Controller } from "./define-controller.ts";
import { isOfAnyKind } from "./any-kind.ts";
import { kindId } from "./kind-id.ts";

/** What to write into a controller so that it may do something with a kind, such as `add use(Secret, "create") to its uses`. */
export function missingDeclaration({ resource: own, owns, watches, uses }: Controller, verb: string, resource: Resource): string {
  const { kind } = resource;
  const isIt = (each: { readonly resource: Resource }): boolean => kindId(each.resource) === kindId(resource);
  if (verb === "apply") return `add ${kind} to its owns`;
  if (verb === "applied") {
    return `write watch(${!watches.some(isIt) && watches.some(isOfAnyKind) ? "anyKind" : kind}, { applied: true }) in its watches`;
  }
  if (kindId(own) === kindId(resource)) return `add ${quoted([verb])} to its selfVerbs`;
  const child = owns.find(isIt);
  if (child !== undefined) return `write owned(${kind}, { verbs: [${quoted([...child.verbs, verb])}] }) in its owns`;
  if (verb === "watch" && [...owns, ...watches].some(isOfAnyKind)) return "ask for it with await cache.resourceOf(…) before";
  if (verb === "watch") return `add watch(${kind}) to its watches`;
  const watched = watches.find(isIt);
  if (watched !== undefined) return `write watch(${kind}, { verbs: [${quoted([...watched.verbs, verb])}] }) in its watches`;
  const used = uses.find(isIt) ?? uses.find(isOfAnyKind);
  if (used !== undefined) return `write use(${used.resource.kind}, ${quoted([...used.verbs, verb])}) in its uses`;
  return `add use(${kind}, ${quoted([verb])}) to its uses`;
}

function quoted(verbs: readonly string[]): string {
  return verbs.map((verb) => `"${verb}"`).join(", ");
}
