import type { Decision, UserInfo } from "@kaji/apiserver";
import type { DynamicObject } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";

/** A RoleBinding or ClusterRoleBinding: who has a role, and where. */
export interface Binding {
  readonly kind: "ClusterRoleBinding" | "RoleBinding";
  readonly name: string;
  /** Empty: everywhere. */
  readonly namespace: string;
  readonly role: RoleReference;
  readonly subjects: readonly Subject[];
  /** What is decided where this binding allows something, by its first subject; others make their own. */
  readonly decision: Decision;
}

/** The role that a binding gives. */
export interface RoleReference {
  readonly kind: "ClusterRole" | "Role";
  readonly name: string;
}

/** A user, group or service account that a binding names. */
export interface Subject {
  /** The key under which requests of the subject are found: see `userKey` and `groupKey`. */
  readonly key: string;
  /** For messages: `User "bob"`. */
  readonly text: string;
}

/** Under which a user is found among subjects; service accounts are users, too. */
export function userKey(username: string): string {
  return `u ${username}`;
}

/** Under which the members of a group are found among subjects. */
export function groupKey(group: string): string {
  return `g ${group}`;
}

/** Reads a binding from storage. */
export function bindingOf(object: DynamicObject): Binding {
  const { name, namespace = "" } = object.metadata;
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const role = roleReference(objectField(object, "roleRef"));
  const subjects = objectsField(object, "subjects").flatMap((subject) => subjectOf(subject, namespace));
  const { kind: roleKind, name: roleName } = role;
  const reason = `RBAC: allowed by ${kind} ${quote(namespace === "" ? name : `${name}/${namespace}`)} of ${roleKind} ${quote(roleName)} to `;
  const grant = { binding: { kind, ...(namespace === "" ? {} : { namespace }), name }, role } as const;
  const decision = { allowed: true, reason: reason + (subjects[0]?.text ?? ""), grant };
  return { kind, name, namespace, role, subjects, decision };
}

/** The decision to allow something to a user by this binding: the reason names the first subject that the user is. */
export function allowedBy({ subjects, decision }: Binding, user: UserInfo): Decision {
  const [first] = subjects;
  const found = subjects.find(({ key }) => isSubject(user, key));
  if (first === undefined || found === undefined || found === first) return decision;
  return { ...decision, reason: decision.reason.slice(0, -first.text.length) + found.text };
}

/** The role that a binding names. Whatever is not a Role is one of the cluster. */
export function roleReference(roleRef: Readonly<Record<string, unknown>>): RoleReference {
  return { kind: stringField(roleRef, "kind") === "Role" ? "Role" : "ClusterRole", name: stringField(roleRef, "name") };
}

function isSubject({ username, groups }: UserInfo, key: string): boolean {
  return key === userKey(username) || groups.some((group) => key === groupKey(group));
}

function subjectOf(subject: Readonly<Record<string, unknown>>, bindingNamespace: string): readonly Subject[] {
  const [kind, name] = [stringField(subject, "kind"), stringField(subject, "name")];
  if (kind === "User") return [{ key: userKey(name), text: `User ${quote(name)}` }];
  if (kind === "Group") return [{ key: groupKey(name), text: `Group ${quote(name)}` }];
  const namespace = stringField(subject, "namespace") || bindingNamespace;
  if (kind !== "ServiceAccount" || namespace === "") return [];
  return [{ key: userKey(`system:serviceaccount:${namespace}:${name}`), text: `ServiceAccount ${quote(`${name}/${namespace}`)}` }];
}
