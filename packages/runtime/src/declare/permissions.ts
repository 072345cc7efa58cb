import { compareGoStrings } from "@kaji/core/go";
import { declaredVerbs } from "./declared-verbs.ts";
import type { Controller } from "./define-controller.ts";
import { partWord } from "./reading-part.ts";
import type { ReadingPart } from "./reading-part.ts";

/** One rule of a role, as RBAC has it, and why it is there. */
export interface Permission {
  readonly apiGroup: string;
  /** The plural of the kind, with its subresource if there is one, as in `deployments/status`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Absent: it is about all objects, or such as have no name yet. */
  readonly resourceNames?: readonly string[];
  /** The namespaces in which it is needed, where the declarations name them. Absent: where the operator looks. */
  readonly namespaces?: readonly string[];
  /** One reason for each declaration that the rule comes from. */
  readonly reasons: readonly string[];
}

/**
 * What a program with these controllers, webhooks and APIs must be allowed to do: one permission for each resource and subresource, sorted, and one for each that is about some objects or namespaces only.
 * What a manager itself needs, such as leases for leader election, is the manager's to say.
 */
export function permissionsOf(controllers: readonly Controller[], parts: readonly Reading[] = []): readonly Permission[] {
  const merged = new Map<string, Collected>();
  const grant = (apiGroup: string, resource: string, verb: string, reason: string, { resourceNames, namespaces }: Narrowing = {}): void => {
    const id = JSON.stringify([apiGroup, resource, resourceNames, namespaces]);
    const known = merged.get(id) ?? { apiGroup, resource, resourceNames, namespaces, verbs: new Set(), reasons: new Set() };
    merged.set(id, known);
    known.verbs.add(verb);
    known.reasons.add(reason);
  };
  for (const controller of controllers) {
    for (const { resource, verbs, reason, namespaces } of declaredVerbs(controller)) {
      for (const verb of verbs) {
        const [action = verb, ...subresource] = verb.split("/");
        const path = [resource.plural, ...subresource].join("/");
        grant(resource.group, path, action, reason, { namespaces });
        // The request is a GET, of which servers since v1.35 want `create` besides.
        if (path === "pods/exec") grant(resource.group, path, "get", reason, { namespaces });
      }
    }
    for (const { apiGroup, resource, verbs, resourceNames } of controller.permissions) {
      for (const verb of verbs) grant(apiGroup, resource, verb, `${controller.name} declares it in permissions`, { resourceNames });
    }
    for (const verb of ["create", "patch"]) grant("events.k8s.io", "events", verb, `${controller.name} records events`);
  }
  for (const { type, resource: own, uses, watches } of parts) {
    const who = `the ${partWord({ type })} of ${own.kind}`;
    for (const { resource, verbs } of uses) {
      for (const verb of verbs) grant(resource.group, resource.plural, verb, `${who} reads it`);
    }
    for (const { resource, namespaces } of watches) {
      for (const verb of ["list", "watch"]) grant(resource.group, resource.plural, verb, `${who} watches it`, { namespaces });
    }
  }
  return [...merged.values()]
    .map(({ apiGroup, resource, resourceNames, namespaces, verbs, reasons }) => ({
      apiGroup,
      resource,
      verbs: [...verbs].toSorted(byVerb),
      ...(resourceNames === undefined ? {} : { resourceNames }),
      ...(namespaces === undefined ? {} : { namespaces }),
      reasons: [...reasons],
    }))
    .toSorted((left, right) => compareGoStrings(left.apiGroup, right.apiGroup) || compareGoStrings(left.resource, right.resource));
}

/** A webhook or an API, as far as it needs permissions. */
type Reading = Pick<ReadingPart, "resource" | "type" | "uses" | "watches">;

/** The objects or namespaces that a permission is about, if it is not about all. */
interface Narrowing {
  readonly resourceNames?: readonly string[] | undefined;
  readonly namespaces?: readonly string[] | undefined;
}

/** A permission, as far as the declarations that were looked at ask for it. */
interface Collected extends Narrowing {
  readonly apiGroup: string;
  readonly resource: string;
  readonly verbs: Set<string>;
  readonly reasons: Set<string>;
}

/** In the order in which people read them: reads first, then writes, then what is no request. */
const order = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

function byVerb(left: string, right: string): number {
  return rank(left) - rank(right) || compareGoStrings(left, right);
}

function rank(verb: string): number {
  const index = order.indexOf(verb);
  return index === -1 ? order.length : index;
}
