import { stringifyJson } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { Authorizer } from "../auth/authorizer.ts";
import type { MatchSources } from "../webhooks/match-criteria.ts";
import type { ReviewSubject, ReviewTarget } from "../webhooks/review-target.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { evaluatePolicy } from "./policy-evaluation.ts";
import type { PolicyObjection, PolicyVerdict } from "./policy-evaluation.ts";
import { bindingInvocations, seenInVersion, surroundingNamespace } from "./policy-invocation.ts";
import { policyDenial } from "./policy-refusal.ts";
import type { PolicyRefusal } from "./policy-refusal.ts";
import type { BoundPolicy, PolicyBinding } from "./registered-policies.ts";
import { RequestAuthorizer } from "./request-authorizer.ts";

/** What admission by policies needs: policies, parameters and namespaces from storage. */
export interface PolicyAdmission extends MatchSources {
  /** Decides the checks that expressions make by `authorizer`. */
  readonly authorize: Authorizer;
}

/** A policy that matches a write, and the version in which it does. */
export interface MatchedPolicy extends BoundPolicy<CompiledPolicy> {
  readonly target: ReviewTarget;
}

const longestAnnotation = 10 * 1024;
const failureAnnotation = "validation.policy.admission.k8s.io/validation_failure";

/** Policies at work on one write. */
export class PolicyEnforcement {
  readonly #options: PolicyAdmission;
  readonly #subject: ReviewSubject;
  readonly #authorizer: RequestAuthorizer;
  readonly #refusals: PolicyRefusal[] = [];
  /** Of failures that are to be audited, the first is. */
  #isFailureAudited = false;

  constructor(options: PolicyAdmission, subject: ReviewSubject) {
    this.#options = options;
    this.#subject = subject;
    this.#authorizer = new RequestAuthorizer(options.authorize, subject.request.context.user);
  }

  /** Throws what speaks against the write. */
  async enforce(policies: readonly MatchedPolicy[]): Promise<void> {
    for (const matched of policies) await this.#enforceOne(matched);
    const [first] = this.#refusals;
    if (first !== undefined) throw policyDenial(this.#subject, first);
  }

  async #enforceOne(matched: MatchedPolicy): Promise<void> {
    const { policy } = matched;
    const annotations = new Map<string, Set<string>>();
    for (const invocation of await bindingInvocations(matched, this.#subject, this.#options)) {
      if (invocation.type === "Bound") {
        const { binding, params } = invocation;
        for (const verdict of await this.#verdicts(matched, params)) this.#take(verdict, matched, binding, annotations);
      } else if (policy.failurePolicy !== "Ignore") {
        this.#refuse(matched, invocation.binding, invocation.message, "Invalid");
      }
    }
    for (const [key, values] of annotations) this.#subject.request.context.annotate?.(`${policy.name}/${key}`, [...values].join(", "));
  }

  /** What the policy says with each object of parameters. */
  async #verdicts({ policy, target }: MatchedPolicy, params: readonly (DynamicObject | undefined)[]): Promise<readonly PolicyVerdict[]> {
    const seen = await seenInVersion(this.#subject, target, this.#subject.request.object);
    const namespace = surroundingNamespace(this.#subject, this.#options.storage);
    const verdicts: PolicyVerdict[] = [];
    for (const each of params) {
      const input = { seen, params: each, namespace, authorizer: this.#authorizer };
      const verdict = this.#authorizer.evaluate(() => evaluatePolicy(policy, input));
      verdicts.push(verdict instanceof Promise ? await verdict : verdict);
    }
    return verdicts;
  }

  #take(verdict: PolicyVerdict, matched: MatchedPolicy, binding: PolicyBinding, annotations: Map<string, Set<string>>): void {
    for (const objection of verdict.objections) this.#act(objection, matched, binding);
    for (const { key, value } of verdict.annotations) {
      const values = annotations.get(key) ?? new Set();
      annotations.set(key, values.add(value.slice(0, longestAnnotation)));
    }
    for (const message of verdict.annotationFailures) this.#refuse(matched, binding, message, "Invalid");
  }

  #act(objection: PolicyObjection, matched: MatchedPolicy, binding: PolicyBinding): void {
    const { context } = this.#subject.request;
    const { message, reason } = objection;
    const { name } = matched.policy;
    for (const action of binding.actions) {
      switch (action) {
        case "Deny":
          this.#refuse(matched, binding, message, reason);
          break;
        case "Warn":
          context.warn(`Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${binding.name}': ${message}`);
          break;
        case "Audit":
          if (!this.#isFailureAudited) context.annotate?.(failureAnnotation, failureText(objection, name, binding));
          this.#isFailureAudited = true;
          break;
        default:
          action satisfies never;
      }
    }
  }

  #refuse({ policy }: MatchedPolicy, binding: PolicyBinding | undefined, message: string, reason: string): void {
    this.#refusals.push({ policy: policy.name, binding: binding?.name, message, reason });
  }
}

function failureText({ message, index }: PolicyObjection, policy: string, { name, actions }: PolicyBinding): string {
  return stringifyJson([{ message, policy, binding: name, expressionIndex: index, validationActions: actions }]);
}
