import type { DynamicObject } from "@kaji/core";
import type { ServedVersion } from "../kind-registry.ts";
import { storedNamespace } from "../webhooks/match-criteria.ts";
import type { MatchSources } from "../webhooks/match-criteria.ts";
import { convertForReview } from "../webhooks/review-target.ts";
import type { ReviewSubject, ReviewTarget } from "../webhooks/review-target.ts";
import type { Storage } from "../storage/storage.ts";
import type { PolicyTerms } from "./compiled-policy.ts";
import type { ExpressionSubject } from "./expression-bindings.ts";
import { matchCriteria } from "./policy-criteria.ts";
import { PolicyMisconfigured, findParams, servedParamKind } from "./policy-params.ts";
import type { BoundPolicy, PolicyBinding } from "./registered-policies.ts";

/** A binding that matches a write, with the params to evaluate its policy with; or what is misconfigured: the binding, or (without one) the policy. */
export type BindingInvocation =
  | { readonly type: "Bound"; readonly binding: PolicyBinding; readonly params: readonly (DynamicObject | undefined)[] }
  | { readonly type: "Misconfigured"; readonly binding: PolicyBinding | undefined; readonly message: string };

/** The bindings of a policy that match a write, each with its params. */
export async function bindingInvocations(
  { policy: { paramKind }, bindings }: BoundPolicy<PolicyTerms>,
  subject: ReviewSubject,
  sources: MatchSources,
): Promise<readonly BindingInvocation[]> {
  let served: ServedVersion | undefined;
  try {
    served = paramKind && servedParamKind(paramKind, sources.kinds());
  } catch (error) {
    return [misconfigured(error, undefined)];
  }
  const invocations: BindingInvocation[] = [];
  for (const binding of bindings) {
    if (binding.criteria !== undefined && matchCriteria(binding.criteria, subject, sources) === undefined) continue;
    try {
      invocations.push({ type: "Bound", binding, params: await boundParams(served, binding, subject, sources) });
    } catch (error) {
      invocations.push(misconfigured(error, binding));
    }
  }
  return invocations;
}

/** A write in the version in which a policy matched it, with the object as it is by now. */
export async function seenInVersion(
  subject: ReviewSubject,
  target: ReviewTarget,
  object: DynamicObject | undefined,
): Promise<ExpressionSubject> {
  const { requested, request } = subject;
  const { oldObject } = request;
  if (requested === target) return { subject, target, object, oldObject };
  const converted = (each: DynamicObject | undefined): Promise<DynamicObject | undefined> =>
    each === undefined ? Promise.resolve(each) : convertForReview(each, requested, target);
  return { subject, target, object: await converted(object), oldObject: await converted(oldObject) };
}

/** The namespace in which something is written; undefined when it is in none. */
export function surroundingNamespace({ namespace, resource }: ReviewSubject, storage: Storage): DynamicObject | undefined {
  return namespace !== "" && resource !== "namespaces" ? storedNamespace(namespace, storage) : undefined;
}

/** One evaluation for each; one without any where the policy takes none or the binding names none. */
async function boundParams(
  served: ServedVersion | undefined,
  { paramRef }: PolicyBinding,
  { namespace }: ReviewSubject,
  { storage }: MatchSources,
): Promise<readonly (DynamicObject | undefined)[]> {
  return served === undefined || paramRef === undefined ? [undefined] : findParams(served, paramRef, namespace, storage);
}

function misconfigured(error: unknown, binding: PolicyBinding | undefined): BindingInvocation {
  if (!(error instanceof PolicyMisconfigured)) throw error;
  const what = binding === undefined ? "policy" : "binding";
  return { type: "Misconfigured", binding, message: `failed to configure ${what}: ${error.message}` };
}
