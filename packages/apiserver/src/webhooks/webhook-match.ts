import { forbidden } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { Authorizer } from "../auth/authorizer.ts";
import { authorizerBindings, namespaceBinding, subjectBindings } from "../policies/expression-bindings.ts";
import { conditionBudget, runExpressions } from "../policies/expression-run.ts";
import { RequestAuthorizer } from "../policies/request-authorizer.ts";
import { isInNamespace, isSelected, targetByRules } from "./match-criteria.ts";
import type { MatchSources } from "./match-criteria.ts";
import { outcomeOf } from "./match-conditions.ts";
import { convertForReview } from "./review-target.ts";
import type { ReviewSubject, ReviewTarget } from "./review-target.ts";
import type { RegisteredWebhook } from "./webhook-configuration.ts";

/** What it takes to tell whether a webhook is to be asked. */
export interface WebhookMatchSources extends MatchSources {
  /** Decides the checks that match conditions make by `authorizer`. */
  readonly authorize: Authorizer;
}

/** In which version a webhook is to be asked about a write; undefined when it is not to be asked. Selectors and conditions see `object`. */
export async function matchWebhook(
  webhook: RegisteredWebhook,
  subject: ReviewSubject,
  object: DynamicObject | undefined,
  sources: WebhookMatchSources,
): Promise<ReviewTarget | undefined> {
  const { rules = [], matchPolicy = "Equivalent", objects, namespaces } = webhook;
  if (!isSelected(objects, object, subject.request.oldObject)) return undefined;
  const target = targetByRules(rules, matchPolicy, subject, sources.kinds());
  if (target === undefined || !isInNamespace(namespaces, subject, object, sources.storage)) return undefined;
  return (await meetsConditions(webhook, subject, object, target, sources.authorize)) ? target : undefined;
}

async function meetsConditions(
  { conditions, failurePolicy = "Fail" }: RegisteredWebhook,
  subject: ReviewSubject,
  object: DynamicObject | undefined,
  target: ReviewTarget,
  authorize: Authorizer,
): Promise<boolean> {
  if (conditions.length === 0) return true;
  const { oldObject, context } = subject.request;
  const inVersion = async (each: DynamicObject | undefined): Promise<DynamicObject | undefined> =>
    each === undefined ? undefined : convertForReview(each, subject.requested, target);
  const seen = { subject, target, object: await inVersion(object), oldObject: await inVersion(oldObject) };
  const authorizer = new RequestAuthorizer(authorize, context.user);
  const bindings = {
    ...subjectBindings(seen, subject.requested.resource),
    ...authorizerBindings(authorizer, subject),
    ...namespaceBinding(undefined),
  };
  const run = await authorizer.evaluate(() => runExpressions(conditions, new Map(), bindings, conditionBudget));
  const outcome = outcomeOf(run, failurePolicy);
  if (outcome.type === "Failed") throw forbidden({ group: subject.group, plural: subject.resource }, subject.name, outcome.message);
  return outcome.type === "Matches";
}
