import { ApiError, isReason, jsonOf, textAt } from "@kaji/core";
import type { Resource } from "@kaji/core";
import type { DeclaredPermission } from "./declarations.ts";
import type { Controller } from "./define-controller.ts";

/** A controller wanted to do what takes a right beside those of its requests, as giving rights to others does, or signing: the refusal of the server, with what to declare. */
export class UngrantedError extends ApiError {
  constructor({ status, request }: ApiError, message: string) {
    super({ ...status, message }, request === undefined ? {} : { request });
  }
}

const rbacGroup = "rbac.authorization.k8s.io";
const certificatesGroup = "certificates.k8s.io";

/** So many rights that a role gives are told one by one. */
const mostTold = 6;

/** What the server says, and what is missing. */
interface Refusal {
  readonly text: string;
  readonly missing: readonly DeclaredPermission[];
}

/** An error that a write met; if the server refuses it for want of a right beside that of the request, with what to declare for it. */
export function withMissingGrant(
  error: unknown,
  controller: Pick<Controller, "name" | "permissions">,
  resource: Resource,
  written: object,
): unknown {
  if (!isReason(error, "Forbidden")) return error;
  // Nothing else tells these refusals from others, and nobody decides on them: they are told in other words.
  const { message = "" } = error.status;
  const refusal = refusalOf(message, resource, written);
  if (refusal === undefined) return error;
  const how = controller.permissions.length === 0 ? "declare permissions: [" : "add to the permissions: [";
  return new UngrantedError(error, `${refusal.text}: ${how}${refusal.missing.map(inSource).join(", ")}] in controller ${controller.name}`);
}

function refusalOf(message: string, resource: Resource, written: object): Refusal | undefined {
  switch (resource.group) {
    case rbacGroup:
      return refusedGrant(message, resource, written);
    case certificatesGroup:
      return refusedSigner(message);
    default:
      return undefined;
  }
}

/** It gives away what the controller may not do itself. */
function refusedGrant(message: string, resource: Resource, written: object): Refusal | undefined {
  const [, text, rights = ""] = /^(.* is attempting to grant RBAC permissions not currently held):\n(.*)$/s.exec(message) ?? [];
  if (text === undefined) return undefined;
  const missing = resource.plural.endsWith("bindings") ? [toBind(written)] : (toHave(rights) ?? [toEscalate(resource)]);
  return { text, missing };
}

/** It says something in the name of a signer of certificates. */
function refusedSigner(message: string): Refusal | undefined {
  const [text, verb, signer] = /^.* user not permitted to (approve|sign|attest) .*signerName "(.*)"$/s.exec(message) ?? [];
  if (text === undefined || verb === undefined || signer === undefined) return undefined;
  return { text, missing: [{ apiGroup: certificatesGroup, resource: "signers", resourceNames: [signer], verbs: [verb] }] };
}

function toBind(binding: object): DeclaredPermission {
  const role = jsonOf(binding);
  const name = textAt(role, "roleRef", "name");
  const resource = textAt(role, "roleRef", "kind") === "Role" ? "roles" : "clusterroles";
  return { apiGroup: rbacGroup, resource, resourceNames: [name === "" ? "NAME" : name], verbs: ["bind"] };
}

function toEscalate({ plural }: Resource): DeclaredPermission {
  return { apiGroup: rbacGroup, resource: plural, verbs: ["escalate"] };
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
