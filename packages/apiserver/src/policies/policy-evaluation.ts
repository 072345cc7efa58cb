import type { Bindings } from "@kaji/cel";
import type { DynamicObject } from "@kaji/core";
import { outcomeOf } from "../webhooks/match-conditions.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { authorizerBindings, namespaceBinding, paramsBinding, subjectBindings } from "./expression-bindings.ts";
import type { ExpressionSubject } from "./expression-bindings.ts";
import { conditionBudget, policyBudget, runExpressions } from "./expression-run.ts";
import type { ExpressionOutcome, ExpressionRun } from "./expression-run.ts";
import type { RequestAuthorizer } from "./request-authorizer.ts";
import type { Validation } from "./validating-policy.ts";

/** A write as a policy sees it. */
export interface PolicyInput {
  readonly seen: ExpressionSubject;
  readonly params: DynamicObject | undefined;
  /** The namespace of the write; undefined when it is in none. */
  readonly namespace: DynamicObject | undefined;
  readonly authorizer: RequestAuthorizer;
}

/** Why a policy is against a write. */
export interface PolicyObjection {
  readonly message: string;
  readonly reason: string;
  /** Which of the policy's validations it is. */
  readonly index: number;
}

/** What a policy says of a write. */
export interface PolicyVerdict {
  readonly objections: readonly PolicyObjection[];
  /** What audits are to be told, by key. */
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** What could not be told, and therefore counts against the write, whatever a binding makes of objections. */
  readonly annotationFailures: readonly string[];
}

const longestMessage = 5 * 1024;
const noVerdict: PolicyVerdict = { objections: [], annotations: [], annotationFailures: [] };

/** Evaluates a policy for one write and one object of parameters. */
export function evaluatePolicy(policy: CompiledPolicy, { seen, params, namespace, authorizer }: PolicyInput): PolicyVerdict {
  const { subject, target } = seen;
  const withParams = paramsBinding(params);
  const authorizing = authorizerBindings(authorizer, subject);
  if (policy.conditions.length > 0) {
    const bindings = {
      ...subjectBindings(seen, subject.requested.resource),
      ...withParams,
      ...authorizing,
      ...namespaceBinding(undefined),
    };
    const run = runExpressions(policy.conditions, policy.variables, bindings, conditionBudget);
    const outcome = outcomeOf(run, policy.failurePolicy);
    if (outcome.type === "Excluded") return noVerdict;
    if (outcome.type === "Failed") return failed(policy, outcome.message);
  }
  const plain = { ...subjectBindings(seen, target.resource), ...withParams, ...namespaceBinding(namespace) };
  const run = runExpressions(policy.expressions, policy.variables, { ...plain, ...authorizing }, policyBudget);
  if (run.type === "OutOfBudget") return failed(policy, run.message);
  // Upstream makes messages for validations that hold, too, and so refuses a write for the cost of a message that is not shown.
  const isSound = run.outcomes.every((outcome) => outcome?.type === "Value" && outcome.value === true);
  if (isSound) return annotated(policy, [], plain);
  const messages = runExpressions(policy.messages, policy.variables, plain, run.remaining);
  const objections = run.outcomes.flatMap((outcome, index) => objectionTo(policy, outcome, messages, index) ?? []);
  return annotated(policy, objections, plain);
}

/** What cannot be evaluated counts by the failure policy. */
function failed({ failurePolicy }: CompiledPolicy, message: string): PolicyVerdict {
  return failurePolicy === "Ignore" ? noVerdict : { ...noVerdict, objections: [{ message, reason: "Invalid", index: 0 }] };
}

function objectionTo(
  policy: CompiledPolicy,
  outcome: ExpressionOutcome | undefined,
  messages: ExpressionRun,
  index: number,
): PolicyObjection | undefined {
  const validation = policy.validations[index];
  if (validation === undefined || outcome === undefined) return undefined;
  const failure = failureOf(outcome, messages);
  if (failure !== undefined) return policy.failurePolicy === "Ignore" ? undefined : { message: failure, reason: "Invalid", index };
  if (outcome.type === "Value" && outcome.value === true) return undefined;
  const made = messages.type === "Done" ? messages.outcomes[index] : undefined;
  return { message: messageOf(validation, made), reason: validation.reason ?? "Invalid", index };
}

function failureOf(outcome: ExpressionOutcome, messages: ExpressionRun): string | undefined {
  if (outcome.type === "Failed") return outcome.message;
  return messages.type === "OutOfBudget" ? `failed messageExpression: ${messages.message}` : undefined;
}

/** The message that was made for the write, or that is given for all writes, or what was to hold. */
function messageOf({ message = "", expression }: Validation, made: ExpressionOutcome | undefined): string {
  const text = made?.type === "Value" && typeof made.value === "string" ? made.value.trim() : "";
  const isFit = text !== "" && Buffer.byteLength(text) <= longestMessage && !text.includes("\n");
  return (isFit ? text : message.trim()) || `failed expression: ${expression.trim()}`;
}

function annotated(policy: CompiledPolicy, objections: readonly PolicyObjection[], bindings: Bindings): PolicyVerdict {
  if (policy.annotations.length === 0) return { ...noVerdict, objections };
  const run = runExpressions(policy.annotationValues, policy.variables, bindings, policyBudget);
  if (run.type === "OutOfBudget") return failed(policy, run.message);
  const annotations: { readonly key: string; readonly value: string }[] = [];
  const annotationFailures: string[] = [];
  for (const [index, { key }] of policy.annotations.entries()) {
    const outcome = run.outcomes[index];
    if (outcome?.type === "Failed" && policy.failurePolicy !== "Ignore") annotationFailures.push(outcome.message);
    const value = outcome?.type === "Value" && typeof outcome.value === "string" ? outcome.value.trim() : "";
    if (value !== "") annotations.push({ key, value });
  }
  return { objections, annotations, annotationFailures };
}
