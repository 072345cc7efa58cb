import { parseJsonBytes } from "@kaji/core";
import type { Entry, Storage } from "../storage/storage.ts";
import type { PolicyTerms } from "./compiled-policy.ts";
import { policyCriteria } from "./policy-criteria.ts";
import type { PolicyCriteria } from "./policy-criteria.ts";
import type { ParamRef, PolicyBindingObject, ValidationAction } from "./validating-policy.ts";

/** A policy that is in force somewhere. */
export interface BoundPolicy<P extends PolicyTerms> {
  readonly policy: P;
  readonly bindings: readonly PolicyBinding[];
}

/** Where a policy is in force, and how. */
export interface PolicyBinding {
  readonly name: string;
  readonly paramRef: ParamRef | undefined;
  /** Undefined when it adds nothing to what the policy says. */
  readonly criteria: PolicyCriteria | undefined;
  /** None where the policy changes objects. */
  readonly actions: readonly ValidationAction[];
}

/** Where the policies of a kind and their bindings are stored. */
export interface PolicyPaths {
  readonly policies: string;
  readonly bindings: string;
}

/**
 * The policies that are bound, by name. Each state of one is compiled once.
 * Storage notifies of a write before the writer gets its response: a policy is in force for every request after that.
 */
export class RegisteredPolicies<P extends PolicyTerms> {
  readonly #storage: Storage;
  readonly #paths: PolicyPaths;
  readonly #compile: (object: unknown) => P;
  readonly #compiled = new WeakMap<Entry, P>();
  /** Undefined when policies or bindings have changed since it was made. */
  #bound: readonly BoundPolicy<P>[] | undefined;

  constructor(storage: Storage, paths: PolicyPaths, compile: (object: unknown) => P) {
    this.#storage = storage;
    this.#paths = paths;
    this.#compile = compile;
    for (const path of [paths.policies, paths.bindings]) {
      storage.subscribe(path, storage.currentRevision, () => {
        this.#bound = undefined;
      });
    }
  }

  get all(): readonly BoundPolicy<P>[] {
    return (this.#bound ??= this.#read());
  }

  #read(): readonly BoundPolicy<P>[] {
    const { policies, bindings } = this.#paths;
    const byPolicy = new Map<string, PolicyBinding[]>();
    for (const entry of this.#storage.list(bindings).entries) {
      const { metadata, spec } = decode(entry) as PolicyBindingObject;
      const { policyName, paramRef, matchResources, validationActions: actions = [] } = spec;
      const criteria = matchResources === undefined ? undefined : policyCriteria(matchResources);
      const bound = byPolicy.get(policyName) ?? [];
      byPolicy.set(policyName, [...bound, { name: metadata.name, paramRef, criteria, actions }]);
    }
    return this.#storage.list(policies).entries.flatMap((entry) => {
      const bound = byPolicy.get(entry.key.slice(policies.length));
      return bound === undefined ? [] : [{ policy: this.#compiledOnce(entry), bindings: bound }];
    });
  }

  #compiledOnce(entry: Entry): P {
    const compiled = this.#compiled.get(entry) ?? this.#compile(decode(entry));
    this.#compiled.set(entry, compiled);
    return compiled;
  }
}

function decode({ bytes }: Entry): unknown {
  return parseJsonBytes(bytes);
}
