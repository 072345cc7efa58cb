import { parseJsonBytes } from "@kaji/core";
import type { Entry, Storage } from "../storage/storage.ts";
import { compilePolicy } from "./compiled-policy.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { policyCriteria } from "./policy-criteria.ts";
import type { PolicyCriteria } from "./policy-criteria.ts";
import type { ParamRef, ValidatingPolicy, ValidatingPolicyBinding, ValidationAction } from "./validating-policy.ts";

/** A policy that is in force somewhere. */
export interface BoundPolicy {
  readonly policy: CompiledPolicy;
  readonly bindings: readonly PolicyBinding[];
}

/** Where a policy is in force, and how. */
export interface PolicyBinding {
  readonly name: string;
  readonly paramRef: ParamRef | undefined;
  /** Undefined when it adds nothing to what the policy says. */
  readonly criteria: PolicyCriteria | undefined;
  readonly actions: readonly ValidationAction[];
}

const policies = "/registry/validatingadmissionpolicies/";
const bindings = "/registry/validatingadmissionpolicybindings/";

/**
 * The policies that are bound, by name. Each state of one is compiled once.
 * Storage tells of a write before its writer hears of it: a policy is in force for whatever is asked after it was answered.
 */
export class RegisteredPolicies {
  readonly #storage: Storage;
  readonly #compiled = new WeakMap<Entry, CompiledPolicy>();
  /** Undefined when policies or bindings have changed since it was made. */
  #bound: readonly BoundPolicy[] | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const path of [policies, bindings]) {
      storage.subscribe(path, storage.currentRevision, () => {
        this.#bound = undefined;
      });
    }
  }

  get all(): readonly BoundPolicy[] {
    return (this.#bound ??= this.#read());
  }

  #read(): readonly BoundPolicy[] {
    const byPolicy = new Map<string, PolicyBinding[]>();
    for (const entry of this.#storage.list(bindings).entries) {
      const { metadata, spec } = decode(entry) as ValidatingPolicyBinding;
      const { policyName, paramRef, matchResources, validationActions: actions } = spec;
      const criteria = matchResources === undefined ? undefined : policyCriteria(matchResources);
      const bound = byPolicy.get(policyName) ?? [];
      byPolicy.set(policyName, [...bound, { name: metadata.name, paramRef, criteria, actions }]);
    }
    return this.#storage.list(policies).entries.flatMap((entry) => {
      const bound = byPolicy.get(entry.key.slice(policies.length));
      return bound === undefined ? [] : [{ policy: this.#compile(entry), bindings: bound }];
    });
  }

  #compile(entry: Entry): CompiledPolicy {
    const compiled = this.#compiled.get(entry) ?? compilePolicy(decode(entry) as ValidatingPolicy);
    this.#compiled.set(entry, compiled);
    return compiled;
  }
}

function decode({ bytes }: Entry): unknown {
  return parseJsonBytes(bytes);
}
