import type { DynamicObject } from "@kaji/core";
import { InvalidReview, admissionReview, admissionVerdict, reviewVersion } from "./admission-review.ts";
import type { AdmissionVerdict, ReviewRequest } from "./admission-review.ts";
import { convertForReview } from "./review-target.ts";
import type { ReviewSubject, ReviewTarget } from "./review-target.ts";
import { WebhookCallError } from "./webhook-client.ts";
import type { WebhookClient } from "./webhook-client.ts";
import type { RegisteredWebhook } from "./webhook-configuration.ts";
import { WebhookFailure, denial, dryRunUnsupported } from "./webhook-refusal.ts";

/** What a webhook is asked about. */
export interface Asking {
  readonly webhook: RegisteredWebhook;
  readonly subject: ReviewSubject;
  /** In which version. */
  readonly target: ReviewTarget;
  /** As it would be written now, in the version of the request. */
  readonly object: DynamicObject | undefined;
  readonly isMutating: boolean;
}

/** A webhook's consent, and the object it was asked about, in its version. */
export interface Consent {
  readonly verdict: AdmissionVerdict;
  readonly object: DynamicObject | undefined;
}

/** Asks a webhook. Its refusal is thrown as `ApiError`, its failure to answer as `WebhookFailure`. */
export async function askWebhook(client: WebhookClient, asking: Asking): Promise<Consent> {
  const { webhook, subject, target, isMutating } = asking;
  const { context, oldObject, dryRun } = subject.request;
  if (dryRun && webhook.sideEffects !== "None" && webhook.sideEffects !== "NoneOnDryRun") throw dryRunUnsupported(webhook.name);
  const inVersion = async (object: DynamicObject | undefined): Promise<DynamicObject | undefined> =>
    object === undefined ? undefined : shownTo(target, await convertForReview(object, subject.requested, target));
  const object = await inVersion(asking.object);
  const version = reviewVersion(webhook.admissionReviewVersions ?? []);
  if (version === undefined) {
    const why = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
    throw new WebhookFailure(webhook.name, `could not create admission objects: ${why}`);
  }
  const request: ReviewRequest = {
    version,
    uid: context.random.uuid(),
    subject,
    target,
    object,
    oldObject: await inVersion(oldObject),
  };
  const verdict = await verdictOn(client, webhook, request, isMutating);
  for (const [key, value] of verdict.auditAnnotations) context.annotate?.(`${webhook.name}/${key}`, value);
  for (const warning of verdict.warnings) context.warn(warning);
  if (!verdict.allowed) throw denial(webhook.name, verdict.status);
  return { verdict, object };
}

function shownTo({ served }: ReviewTarget, object: DynamicObject): DynamicObject {
  return served.version.schema.shown?.(object) ?? object;
}

async function verdictOn(
  client: WebhookClient,
  { name, clientConfig, timeoutSeconds }: RegisteredWebhook,
  request: ReviewRequest,
  isMutating: boolean,
): Promise<AdmissionVerdict> {
  const { signal } = request.subject.request.context;
  try {
    const body = await client.post({ config: clientConfig, review: admissionReview(request), timeoutSeconds, signal });
    return admissionVerdict(body, request, isMutating);
  } catch (error) {
    if (error instanceof WebhookCallError) {
      throw new WebhookFailure(
        name,
        `${error.isConfiguration ? "could not get REST client" : "failed to call webhook"}: ${error.message}`,
        error,
      );
    }
    if (error instanceof SyntaxError) throw new WebhookFailure(name, `failed to call webhook: ${error.message}`, error);
    if (error instanceof InvalidReview) throw new WebhookFailure(name, `received invalid webhook response: ${error.message}`, error);
    throw error;
  }
}
