import { stringifyJson, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { AdmissionPlugin, AdmissionRequest, MutationRequest } from "../admission.ts";
import type { ObjectSchema } from "../object-schema.ts";
import { Reinvocations } from "../reinvocation.ts";
import type { FirstRound } from "../reinvocation.ts";
import { askWebhook } from "./ask-webhook.ts";
import type { Asking } from "./ask-webhook.ts";
import { convertForReview, reviewSubject } from "./review-target.ts";
import type { ReviewTarget } from "./review-target.ts";
import type { WebhookAdmission } from "./webhook-admission.ts";
import { RegisteredWebhooks } from "./webhook-configuration.ts";
import type { RegisteredWebhook } from "./webhook-configuration.ts";
import { matchWebhook } from "./webhook-match.ts";
import { patchedByWebhook } from "./webhook-patch.ts";
import { orIgnored } from "./webhook-refusal.ts";

/** Asks the webhooks of `MutatingWebhookConfiguration`s, one after the other, each about the object as the one before left it. */
export function mutatingWebhooks(options: WebhookAdmission): AdmissionPlugin {
  const webhooks = new RegisteredWebhooks(options.storage, "mutatingwebhookconfigurations");
  const memories = new Reinvocations<RegisteredWebhook>();
  return {
    name: "MutatingAdmissionWebhook",
    judgesConnections: true,
    mutate: (request) => (webhooks.all.length === 0 ? request.object : mutate(options, webhooks.all, request, memories.of(request.rounds))),
    // There is nothing to change about a deletion or a connection, but its webhooks may refuse it, and they come before those that validate.
    validate: (request) => {
      const isUnchangeable = request.operation === "DELETE" || request.operation === "CONNECT";
      return isUnchangeable && webhooks.all.length > 0 ? askOnly(options, webhooks.all, request) : undefined;
    },
  };
}

async function mutate(
  options: WebhookAdmission,
  webhooks: readonly RegisteredWebhook[],
  request: MutationRequest,
  memory: FirstRound<RegisteredWebhook>,
): Promise<DynamicObject> {
  const subject = reviewSubject(request);
  if (subject === undefined) return request.object;
  const { rounds } = request;
  let { object } = request;
  // Another plugin has changed what the webhooks left, so all with `reinvocationPolicy: IfNeeded` are called again.
  if (rounds.round === 1 && !structuralEqual(memory.last, object)) memory.changed();
  for (const [index, webhook] of webhooks.entries()) {
    const target = await matchWebhook(webhook, subject, object, options);
    if (target === undefined || (rounds.round === 1 && !memory.again.has(webhook))) continue;
    const note = auditNotes(request, webhook, `round_${rounds.round}_index_${index}`);
    const next = await orIgnored(webhook, () => changedBy(options, { webhook, subject, target, object, isMutating: true }), note.failed);
    note.asked(next?.isChanged ?? false);
    if (next?.isChanged === true) {
      memory.changed();
      rounds.isAnotherWanted = true;
    }
    object = next?.object ?? object;
    if (webhook.reinvocationPolicy === "IfNeeded") memory.reinvocable.add(webhook);
  }
  memory.last = object;
  return object;
}

async function askOnly(options: WebhookAdmission, webhooks: readonly RegisteredWebhook[], request: AdmissionRequest): Promise<void> {
  const subject = reviewSubject(request);
  if (subject === undefined) return;
  const { object } = request;
  for (const [index, webhook] of webhooks.entries()) {
    const target = await matchWebhook(webhook, subject, object, options);
    if (target === undefined) continue;
    const note = auditNotes(request, webhook, `round_0_index_${index}`);
    await orIgnored(webhook, () => changedBy(options, { webhook, subject, target, object, isMutating: true }), note.failed);
    note.asked(false);
  }
}

/** What the audit of a request is told of one webhook. */
function auditNotes({ context }: AdmissionRequest, { configuration, name }: RegisteredWebhook, place: string): AuditNotes {
  const key = `mutation.webhook.admission.k8s.io/${place}`;
  return {
    asked: (mutated) => context.annotate?.(key, stringifyJson({ configuration, webhook: name, mutated })),
    failed: () => context.annotate?.(`failed-open.${key}`, name),
  };
}

interface AuditNotes {
  readonly asked: (mutated: boolean) => void;
  /** It failed, and that was ignored. */
  readonly failed: () => void;
}

interface Changed {
  readonly object: DynamicObject | undefined;
  /** Whether the webhook made it another than it was. */
  readonly isChanged: boolean;
}

async function changedBy({ client, scaleSchema }: WebhookAdmission, asking: Asking): Promise<Changed> {
  const { webhook, subject, target } = asking;
  const { verdict, object } = await askWebhook(client, asking);
  const changeable = subject.operation === "CONNECT" ? undefined : object;
  const patched = patchedByWebhook(webhook.name, verdict, changeable, schemaOf(target, subject.subresource, scaleSchema));
  if (patched === undefined) return { object: asking.object, isChanged: false };
  const isWhole = target.kind.kind === target.served.kind.kind;
  const completed = isWhole ? (target.served.version.strategy.default?.(patched) ?? patched) : patched;
  return { object: await convertForReview(completed, target, subject.requested), isChanged: !structuralEqual(object, patched) };
}

function schemaOf({ served }: ReviewTarget, subresource: string, scaleSchema: ObjectSchema): ObjectSchema {
  const found = served.version.subresources[subresource];
  if (found?.type === "Scale") return scaleSchema;
  return found?.type === "Action" ? found.schema : served.version.schema;
}
