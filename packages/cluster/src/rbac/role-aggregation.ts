import type { ApiServer, Storage } from "@kaji/apiserver";
import { compileSelector, isReason, objectOf, parseJsonBytes, structuralEqual } from "@kaji/core";
import type { JsonObject, Labels, LabelSelector, Selector } from "@kaji/core";
import { compareGoStrings } from "@kaji/core/go";
import { objectsField, optionalObject } from "../kinds/json-fields.ts";
import { KeyedWorker } from "../upkeep/keyed-worker.ts";
import type { LocalApi } from "../upkeep/local-api.ts";

const prefix = "/registry/clusterroles/";
const collection = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

/** What aggregation needs of a ClusterRole. */
interface Member {
  readonly labels: Labels | undefined;
  readonly rules: readonly JsonObject[];
  /** Whose rules it gathers; undefined when it has rules of its own. */
  readonly gathers: readonly Selector[] | undefined;
}

/** The field manager that owns the rules it writes. */
const manager = "clusterrole-aggregation-controller";

/**
 * Fills ClusterRoles that have an aggregation rule with the rules of those that it selects.
 * Level-driven: whenever one of them changes, all that gather from it are computed anew.
 */
export class RoleAggregation implements Disposable {
  readonly #api: LocalApi;
  readonly #members = new Map<string, Member>();
  /** The roles to be computed, by name. */
  readonly #roles: KeyedWorker;
  readonly #subscription: Disposable;
  #isLoaded = false;

  /** Where all roles have the rules they should have, nothing is read before one of them changes. */
  constructor(server: ApiServer, api: LocalApi, { isAtRest = false }: { readonly isAtRest?: boolean } = {}) {
    this.#api = api;
    this.#roles = new KeyedWorker(server.clock, { log: api.log, kind: "ClusterRole" }, (name) => this.#fill(name));
    const { storage } = server.registry;
    if (!isAtRest) this.#load(storage);
    this.#subscription = storage.subscribe(prefix, storage.currentRevision, (event) => {
      if (this.#isLoaded) this.#take(event.key, event.type === "Put" ? event.entry.bytes : undefined);
      else this.#load(storage);
    });
  }

  /** Resolves when every aggregated role has the rules it should have. */
  settled(): Promise<void> {
    return this.#roles.settled();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#roles[Symbol.dispose]();
  }

  #load(storage: Storage): void {
    this.#isLoaded = true;
    for (const { key, bytes } of storage.list(prefix).entries) this.#take(key, bytes);
  }

  #take(key: string, bytes: Uint8Array | undefined): void {
    const name = key.slice(prefix.length);
    const before = this.#members.get(name);
    const after = bytes === undefined ? undefined : memberOf(bytes);
    if (after === undefined) this.#members.delete(name);
    else this.#members.set(name, after);
    for (const [other, { gathers }] of this.#members) {
      if (gathers === undefined) continue;
      const isConcerned = other === name || [before, after].some((member) => member !== undefined && selects(gathers, member));
      if (isConcerned) this.#roles.add(other);
    }
  }

  async #fill(name: string): Promise<"Done"> {
    const role = this.#members.get(name);
    if (role?.gathers === undefined) return "Done";
    const rules = this.#gathered(name, role.gathers);
    if (structuralEqual(rules, role.rules)) return "Done";
    const object = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name } };
    try {
      const path = `${collection}/${encodeURIComponent(name)}?fieldManager=${manager}&force=true`;
      await this.#api.send("PATCH", path, rules.length === 0 ? object : { ...object, rules }, "application/apply-patch+yaml");
      return "Done";
    } catch (error) {
      // The server is closing, or a webhook or extension server that it calls is unavailable.
      if (isReason(error, "ServiceUnavailable")) return "Done";
      throw error;
    }
  }

  /** The rules of all roles that the selectors select, in the order of their names, each rule once. */
  #gathered(name: string, gathers: readonly Selector[]): readonly JsonObject[] {
    const names = [...this.#members.keys()].filter((other) => other !== name).toSorted(compareGoStrings);
    const rules = gathers.flatMap((selector) =>
      names.flatMap((other) => {
        const member = this.#members.get(other);
        return member !== undefined && selector.matches(member.labels) ? member.rules : [];
      }),
    );
    return rules.filter((rule, index) => rules.findIndex((other) => structuralEqual(other, rule)) === index);
  }
}

function selects(gathers: readonly Selector[], { labels }: Member): boolean {
  return gathers.some((selector) => selector.matches(labels));
}

function memberOf(bytes: Uint8Array): Member {
  const role = objectOf(parseJsonBytes(bytes));
  const aggregation = optionalObject(role, "aggregationRule");
  const selectors: readonly LabelSelector[] = objectsField(aggregation, "clusterRoleSelectors");
  return {
    labels: role.metadata.labels,
    rules: objectsField(role, "rules"),
    gathers: aggregation === undefined ? undefined : selectors.map(compileSelector),
  };
}
