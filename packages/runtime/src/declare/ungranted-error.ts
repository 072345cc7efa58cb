import { ApiError, isReason, jsonOf, textAt } from "@kaji/core";
import type { Resource } from "@kaji/core";
import type { DeclaredPermission } from "./declarations.ts";
import type { Controller } from "./define-controller.ts";

/** A controller wanted to give others rights that it does not have itself: the refusal of the server, with what to declare in place of the list of these rights. */
export class UngrantedError extends ApiError {
  constructor({ status, request }: ApiError, message: string) {
    super({ ...status, message }, request === undefined ? {} : { request });
  }
}

const apiGroup = "rbac.authorization.k8s.io";

/** So many rights that a role gives are told one by one. */
const mostTold = 6;

/** An error that a write met; if the server refuses it since it gives away what the controller may not do itself, with what to declare for it. */
export function withMissingGrant(
  error: unknown,
  controller: Pick<Controller, "name" | "permissions">,
  resource: Resource,
  written: object,
): unknown {
  if (resource.group !== apiGroup || !isReason(error, "Forbidden")) return error;
  // Nothing else tells this refusal from others, and nobody decides on it: it is told in other words.
  const [, refusal, rights = ""] =
    /^(.* is attempting to grant RBAC permissions not currently held):\n(.*)$/s.exec(error.status.message ?? "") ?? [];
  if (refusal === undefined) return error;
  const missing = resource.plural.endsWith("bindings") ? [toBind(written)] : (toHave(rights) ?? [toEscalate(resource)]);
  const how = controller.permissions.length === 0 ? "declare permissions: [" : "add to the permissions: [";
  return new UngrantedError(error, `${refusal}: ${how}${missing.map(inSource).join(", ")}] in controller ${controller.name}`);
}

function toBind(binding: object): DeclaredPermission {
  const role = jsonOf(binding);
  const name = textAt(role, "roleRef", "name");
  const resource = textAt(role, "roleRef", "kind") === "Role" ? "roles" : "clusterroles";
  return { apiGroup, resource, resourceNames: [name === "" ? "NAME" : name], verbs: ["bind"] };
}

function toEscalate({ plural }: Resource): DeclaredPermission {
  return { apiGroup, resource: plural, verbs: ["escalate"] };
}

/** The rights that the server misses, as the refusal lists them; undefined where they are too many to be written down, or no declaration can have them. */
function toHave(rights: string): readonly DeclaredPermission[] | undefined {
  const lines = rights.split("\n").filter((line) => line.startsWith("{"));
  const found = lines.map((line) => {
    const part = (name: string): readonly string[] => texts(new RegExp(`\\b${name}:\\[([^\\]]*)\\]`).exec(line)?.[1] ?? "");
    return { groups: part("APIGroups"), resources: part("Resources"), resourceNames: part("ResourceNames"), verbs: part("Verbs") };
  });
  if (found.length > mostTold) return undefined;
  const declared: DeclaredPermission[] = [];
  for (const {
    groups: [group],
    resources: [resource],
    resourceNames,
    verbs,
  } of found) {
    if (group === undefined || resource === undefined) return undefined;
    declared.push({ apiGroup: group, resource, ...(resourceNames.length === 0 ? {} : { resourceNames }), verbs });
  }
  return declared;
}

function texts(quoted: string): readonly string[] {
  return [...quoted.matchAll(/"([^"]*)"/g)].map(([, text = ""]) => text);
}

/** As one writes it in a program. */
function inSource({ apiGroup: group, resource, resourceNames, verbs }: DeclaredPermission): string {
  const list = (names: readonly string[]): string => `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
  const names = resourceNames === undefined ? "" : ` resourceNames: ${list(resourceNames)},`;
  return `{ apiGroup: "${group}", resource: "${resource}",${names} verbs: ${list(verbs)} }`;
}
