import { readOnce } from "@kaji/apiserver";
import type { Entry, Storage, UserInfo } from "@kaji/apiserver";
import type { DynamicObject } from "@kaji/core";
import { Grants } from "./grants.ts";
import type { BoundRole } from "./grants.ts";
import { rulesOf } from "./policy-rule.ts";
import type { PolicyRule } from "./policy-rule.ts";
import { bindingOf, groupKey, userKey } from "./role-binding.ts";
import type { Binding, RoleReference } from "./role-binding.ts";

const prefixes = {
  roles: "/registry/roles/",
  clusterRoles: "/registry/clusterroles/",
  roleBindings: "/registry/rolebindings/",
  clusterRoleBindings: "/registry/clusterrolebindings/",
} as const;

/**
 * The roles and bindings of a server, in memory and by subject: a check reads only the bindings of the user and its groups.
 * It follows the storage, which reports a write before the client gets its answer: from then on the write is in force.
 */
export class Policy implements Disposable {
  /** By the key in storage. They are read when they are first needed: most of a cluster's never are. */
  readonly #roles = new Map<string, () => readonly PolicyRule[]>();
  readonly #bindings = new Map<string, Binding>();
  /** By namespace, the empty one for bindings to the whole cluster, and subject. No inner map is empty. */
  readonly #bySubject = new Map<string, Map<string, Bound>>();
  /** Incremented by every change of a role; grants of an earlier version are computed anew. */
  #rolesVersion = 0;
  readonly #subscriptions = new DisposableStack();

  constructor(storage: Storage) {
    for (const prefix of [prefixes.roles, prefixes.clusterRoles]) {
      this.#follow(storage, prefix, (key, entry) => {
        this.#rolesVersion++;
        if (entry === undefined) this.#roles.delete(key);
        else this.#roles.set(key, () => readRules(entry.bytes));
      });
    }
    for (const prefix of [prefixes.roleBindings, prefixes.clusterRoleBindings]) {
      this.#follow(storage, prefix, (key, entry) => this.#setBinding(key, entry === undefined ? undefined : readBinding(entry.bytes)));
    }
  }

  [Symbol.dispose](): void {
    this.#subscriptions.dispose();
  }

  /** What a user was given, by name and by group: first in the whole cluster, then in the namespace, if one is given. */
  grantsTo(user: UserInfo, namespace: string | undefined): readonly Grants[] {
    const grants: Grants[] = [];
    for (const where of namespace === undefined ? [""] : ["", namespace]) {
      const index = this.#bySubject.get(where);
      if (index === undefined) continue;
      for (const subject of subjectKeys(user)) {
        const bound = index.get(subject);
        if (bound !== undefined) grants.push(this.#grantsOf(bound, where));
      }
    }
    return grants;
  }

  /** The roles of a user in the same places, one for each binding. */
  rolesOf(user: UserInfo, namespace: string | undefined): readonly BoundRole[] {
    return (namespace === undefined ? [""] : ["", namespace]).flatMap((where) => {
      const index = this.#bySubject.get(where);
      const bindings = new Set(subjectKeys(user).flatMap((subject) => [...(index?.get(subject)?.bindings ?? [])]));
      return this.#boundRoles(bindings, where);
    });
  }

  /** The rules of a role, that of a namespace if it is a Role; undefined when there is none of that name. */
  rules({ kind, name }: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(kind === "Role" ? `${prefixes.roles}${namespace}/${name}` : prefixes.clusterRoles + name)?.();
  }

  #follow(storage: Storage, prefix: string, take: (key: string, entry: Entry | undefined) => void): void {
    const { entries, revision } = storage.list(prefix);
    for (const entry of entries) take(entry.key, entry);
    const subscription = storage.subscribe(prefix, revision, (event) => take(event.key, event.type === "Put" ? event.entry : undefined));
    this.#subscriptions.use(subscription);
  }

  #setBinding(key: string, binding: Binding | undefined): void {
    const old = this.#bindings.get(key);
    if (old !== undefined) this.#unindex(old);
    if (binding === undefined) {
      this.#bindings.delete(key);
      return;
    }
    this.#bindings.set(key, binding);
    if (binding.subjects.length === 0) return;
    const index = this.#bySubject.get(binding.namespace) ?? new Map<string, Bound>();
    this.#bySubject.set(binding.namespace, index);
    for (const { key: subject } of binding.subjects) {
      const bound = index.get(subject);
      bound?.bindings.add(binding);
      if (bound === undefined) index.set(subject, { bindings: new Set([binding]), grants: undefined, rolesVersion: 0 });
      else bound.grants = undefined;
    }
  }

  #unindex(binding: Binding): void {
    const index = this.#bySubject.get(binding.namespace);
    for (const { key } of binding.subjects) {
      const bound = index?.get(key);
      bound?.bindings.delete(binding);
      if (bound?.bindings.size === 0) index?.delete(key);
      else if (bound !== undefined) bound.grants = undefined;
    }
    if (index?.size === 0) this.#bySubject.delete(binding.namespace);
  }

  #grantsOf(bound: Bound, where: string): Grants {
    if (bound.grants === undefined || bound.rolesVersion !== this.#rolesVersion) {
      bound.grants = new Grants(this.#boundRoles(bound.bindings, where));
      bound.rolesVersion = this.#rolesVersion;
    }
    return bound.grants;
  }

  #boundRoles(bindings: Iterable<Binding>, where: string): readonly BoundRole[] {
    return Array.from(bindings, (binding) => ({ binding, rules: this.rules(binding.role, where) }));
  }
}

/** What one subject was given in one place. */
interface Bound {
  readonly bindings: Set<Binding>;
  /** Computed at the first query; undefined after a binding has changed. */
  grants: Grants | undefined;
  /** The `#rolesVersion` for which the grants were computed. */
  rolesVersion: number;
}

function subjectKeys({ username, groups }: UserInfo): readonly string[] {
  return [userKey(username), ...groups.map(groupKey)];
}

const readRules = readOnce((bytes): readonly PolicyRule[] => rulesOf(parse(bytes)));
const readBinding = readOnce((bytes): Binding => bindingOf(parse(bytes)));

/** Roles and bindings have no numbers that matter here, so that the plain JSON parser, which rounds large ones, will do. */
function parse(bytes: Uint8Array): DynamicObject {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")) as DynamicObject;
}
