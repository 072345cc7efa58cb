import type { Resource } from "@kaji/core";
import type { Verb } from "./declarations.ts";
import type { Controller } from "./define-controller.ts";
import { isOfAnyKind } from "./any-kind.ts";
import { kindId } from "./kind-id.ts";

/** That a controller may do something with a kind, and why. */
export interface DeclaredVerbs {
  readonly resource: Resource;
  readonly verbs: readonly Verb[];
  readonly reason: string;
  /** Where, if the declaration says so; otherwise where the operator looks. */
  readonly namespaces?: readonly string[] | undefined;
}

/** Everything that a controller may do, declaration by declaration. */
export function declaredVerbs(controller: Controller): readonly DeclaredVerbs[] {
  const { name, resource, owns, watches, uses, selfVerbs, writesStatus, finalizer } = controller;
  const self = { resource, namespaces: controller.selection.namespaces };
  const grants: DeclaredVerbs[] = [{ ...self, verbs: ["get", "list", "watch"], reason: `${name} looks after it` }];
  if (writesStatus) grants.push({ ...self, verbs: ["patch/status", "update/status"], reason: `${name} says in its status how it is` });
  if (selfVerbs.length > 0) grants.push({ ...self, verbs: selfVerbs, reason: `${name} declares it in selfVerbs` });
  if (finalizer !== undefined) grants.push({ ...self, verbs: ["patch"], reason: `${name} adds and removes the finalizer ${finalizer}` });
  if (owns.length > 0) {
    grants.push({ ...self, verbs: ["update/finalizers"], reason: `children of ${name} block the deletion of their owner` });
  }
  if (owns.some((child) => isOfAnyKind(child) && child.applied === true)) {
    grants.push({ ...self, verbs: ["patch"], reason: `${name} records in it which kinds its children are of` });
  }
  for (const { resource: child, verbs, namespaces } of owns) {
    const about = { resource: child, namespaces };
    grants.push({ ...about, verbs: ["get", "list", "watch", "create", "patch", "delete"], reason: `${name} owns it` });
    if (verbs.length > 0) grants.push({ ...about, verbs, reason: `${name} declares it in owns` });
  }
  for (const { resource: other, verbs, namespaces } of watches) {
    const about = { resource: other, namespaces };
    grants.push({ ...about, verbs: ["get", "list", "watch"], reason: `${name} watches it` });
    if (verbs.length > 0) grants.push({ ...about, verbs, reason: `${name} declares it in watches` });
  }
  for (const { resource: other, verbs } of uses) grants.push({ resource: other, verbs, reason: `${name} uses it` });
  return grants;
}

/** Whether a controller may do something with a kind. */
export function verbCheck(controller: Controller): (verb: Verb, resource: Resource) => boolean {
  const allowed = new Map<string, Set<Verb>>();
  const declared = declaredVerbs(controller);
  for (const { resource, verbs } of declared) {
    const id = kindId(resource);
    allowed.set(id, new Set([...(allowed.get(id) ?? []), ...verbs]));
  }
  const always = new Set(declared.filter(isOfAnyKind).flatMap(({ verbs }) => verbs));
  return (verb, resource) => always.has(verb) || (allowed.get(kindId(resource))?.has(verb) ?? false);
}
