import type { DynamicObject } from "@kaji/core";
import { storedNamespace } from "../webhooks/match-criteria.ts";
import type { MatchSources } from "../webhooks/match-criteria.ts";
import { convertForReview } from "../webhooks/review-target.ts";
import type { ReviewSubject, ReviewTarget } from "../webhooks/review-target.ts";
import type { Storage } from "../storage/storage.ts";
import type { PolicyTerms } from "./compiled-policy.ts";
import type { ExpressionSubject } from "./expression-bindings.ts";
import { findParams, servedParamKind } from "./policy-params.ts";
import type { ParamRef } from "./validating-policy.ts";

/** With which parameters a policy is evaluated, one after the other; once with none where it has none or a binding names none. */
export async function boundParams(
  { paramKind }: PolicyTerms,
  paramRef: ParamRef | undefined,
  { namespace }: ReviewSubject,
  { storage, kinds }: MatchSources,
): Promise<readonly (DynamicObject | undefined)[]> {
  if (paramKind === undefined || paramRef === undefined) return [undefined];
  return findParams(servedParamKind(paramKind, kinds()), paramRef, namespace, storage);
}

/** A write as it is seen in the version that a policy means, with an object as it is by now. */
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
