import { forbidden, ApiError, structuralEqual } from "@kaji/core";
import type { DynamicObject, StatusReason } from "@kaji/core";
import type { AdmissionPlugin, MutationRequest } from "../admission.ts";
import { Reinvocations } from "../reinvocation.ts";
import type { FirstRound } from "../reinvocation.ts";
import { outcomeOf } from "../webhooks/match-conditions.ts";
import { convertForReview, reviewSubject } from "../webhooks/review-target.ts";
import type { ReviewSubject, ReviewTarget } from "../webhooks/review-target.ts";
import { authorizerBindings, namespaceBinding, paramsBinding, subjectBindings } from "./expression-bindings.ts";
import { conditionBudget, runExpressions } from "./expression-run.ts";
import { compileMutatingPolicy } from "./mutating-policy.ts";
import type { CompiledMutatingPolicy, MutatingPolicy } from "./mutating-policy.ts";
import { isSpared, matchCriteria } from "./policy-criteria.ts";
import type { PolicyAdmission } from "./policy-enforcement.ts";
import { bindingInvocations, seenInVersion, surroundingNamespace } from "./policy-invocation.ts";
import { MutationFailure, mutated } from "./policy-mutation.ts";
import { RegisteredPolicies } from "./registered-policies.ts";
import type { BoundPolicy, PolicyBinding } from "./registered-policies.ts";
import { RequestAuthorizer } from "./request-authorizer.ts";

const paths = { policies: "/registry/mutatingadmissionpolicies/", bindings: "/registry/mutatingadmissionpolicybindings/" };

/** Changes what is written as `MutatingAdmissionPolicy`s say, where bindings say so: one after the other, each the object as the one before left it. */
export function mutatingPolicies(options: PolicyAdmission): AdmissionPlugin {
  const policies = new RegisteredPolicies(options.storage, paths, (object) => compileMutatingPolicy(object as MutatingPolicy));
  const memories = new Reinvocations<string>();
  return {
    name: "MutatingAdmissionPolicy",
    changesConnections: true,
    mutate: (request) => {
      if (policies.all.length === 0) return request.object;
      const subject = reviewSubject(request);
      if (subject === undefined || isSpared(subject)) return request.object;
      return new PolicyMutations(options, request, subject, memories.of(request.rounds)).run(policies.all);
    },
  };
}

/** A policy with one of its bindings and one object of parameters, about to change a write. */
interface Invocation {
  readonly policy: CompiledMutatingPolicy;
  readonly binding: PolicyBinding;
  readonly target: ReviewTarget;
  readonly params: DynamicObject | undefined;
}

/** What went wrong with a policy. */
interface PolicyProblem {
  readonly policy: CompiledMutatingPolicy;
  /** Undefined when the policy itself cannot be used. */
  readonly binding: PolicyBinding | undefined;
  readonly message: string;
  readonly reason: StatusReason;
}

/** Policies at work on one write. */
class PolicyMutations {
  readonly #options: PolicyAdmission;
  readonly #request: MutationRequest;
  readonly #subject: ReviewSubject;
  readonly #memory: FirstRound<string>;
  readonly #authorizer: RequestAuthorizer;
  readonly #problems: PolicyProblem[] = [];
  #object: DynamicObject;

  constructor(options: PolicyAdmission, request: MutationRequest, subject: ReviewSubject, memory: FirstRound<string>) {
    this.#options = options;
    this.#request = request;
    this.#subject = subject;
    this.#memory = memory;
    this.#authorizer = new RequestAuthorizer(options.authorize, request.context.user);
    this.#object = request.object;
  }

  /** The object as all policies leave it. Throws what speaks against the write. */
  async run(policies: readonly BoundPolicy<CompiledMutatingPolicy>[]): Promise<DynamicObject> {
    const invocations: Invocation[] = [];
    for (const bound of policies) invocations.push(...(await this.#invocations(bound)));
    // Another plugin has changed what the policies left, so all with `reinvocationPolicy: IfNeeded` are evaluated again.
    if (this.#request.rounds.round === 1 && !structuralEqual(this.#memory.last, this.#object)) this.#memory.changed();
    for (const invocation of invocations) await this.#invoke(invocation);
    this.#memory.last = this.#object;
    const grave = this.#problems.filter(({ policy }) => policy.failurePolicy !== "Ignore");
    if (grave.length > 0) throw denial(this.#subject, grave);
    return this.#object;
  }

  async #invocations(bound: BoundPolicy<CompiledMutatingPolicy>): Promise<readonly Invocation[]> {
    const { policy } = bound;
    const target = matchCriteria(policy.criteria, this.#subject, this.#options);
    if (target === undefined) return [];
    const invocations: Invocation[] = [];
    for (const each of await bindingInvocations(bound, this.#subject, this.#options)) {
      if (each.type === "Bound") invocations.push(...each.params.map((params) => ({ policy, binding: each.binding, target, params })));
      else this.#problems.push({ policy, binding: each.binding, message: each.message, reason: "Forbidden" });
    }
    return invocations;
  }

  async #invoke(invocation: Invocation): Promise<void> {
    const { policy, binding, target, params } = invocation;
    if (!(await this.#isMatched(invocation))) return;
    const { round } = this.#request.rounds;
    const key = `${policy.name}\n${binding.name}\n${params?.metadata.namespace ?? ""}\n${params?.metadata.name ?? ""}`;
    if (round === 1 && !this.#memory.again.has(key)) return;
    const namespace = surroundingNamespace(this.#subject, this.#options.storage);
    for (const mutation of policy.mutations) {
      const seen = await seenInVersion(this.#subject, target, this.#object);
      const bindings = { ...this.#bindings(seen, target.resource, params), ...namespaceBinding(namespace) };
      try {
        const changed = await this.#authorizer.evaluate(() => mutated(mutation, policy.variables, bindings, seen));
        this.#object = await convertForReview(changed, target, this.#subject.requested);
        // Whether or not it is another now: the real server asks again all that were asked before.
        this.#memory.changed();
        this.#request.rounds.isAnotherWanted = true;
      } catch (error) {
        if (!(error instanceof MutationFailure)) throw error;
        this.#problems.push({ policy, binding, message: error.message, reason: "Invalid" });
      }
    }
    if (policy.isReinvoked) this.#memory.reinvocable.add(key);
  }

  /** Whether the conditions of a policy hold. */
  async #isMatched({ policy, binding, target, params }: Invocation): Promise<boolean> {
    if (policy.conditions.length === 0) return true;
    const seen = await seenInVersion(this.#subject, target, this.#object);
    const bindings = { ...this.#bindings(seen, this.#subject.requested.resource, params), ...namespaceBinding(undefined) };
    const run = await this.#authorizer.evaluate(() => runExpressions(policy.conditions, policy.variables, bindings, conditionBudget));
    const outcome = outcomeOf(run, policy.failurePolicy);
    if (outcome.type === "Failed") this.#problems.push({ policy, binding, message: outcome.message, reason: "Invalid" });
    return outcome.type === "Matches";
  }

  #bindings(
    seen: Parameters<typeof subjectBindings>[0],
    resource: Parameters<typeof subjectBindings>[1],
    params: DynamicObject | undefined,
  ): ReturnType<typeof subjectBindings> {
    return { ...subjectBindings(seen, resource), ...paramsBinding(params), ...authorizerBindings(this.#authorizer, this.#subject) };
  }
}

/** A 403 in the words of the real server: the first problem counts, and all are told. */
function denial({ group, resource, name, request }: ReviewSubject, problems: readonly PolicyProblem[]): ApiError {
  const messages = problems.map(({ policy, binding, message }) => {
    const who = binding === undefined ? `policy "${policy.name}"` : `policy '${policy.name}' with binding '${binding.name}'`;
    return `${who} denied request: ${message}`;
  });
  const shownName = name || request.object?.metadata.generateName || "Unknown";
  const { status } = forbidden({ group, plural: resource }, shownName, "");
  const [message = ""] = messages;
  const causes = messages.map((each) => ({ message: each }));
  return new ApiError({ ...status, message, reason: problems[0]?.reason ?? "Forbidden", details: { ...status.details, causes } });
}
