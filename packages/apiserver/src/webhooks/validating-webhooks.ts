import type { AdmissionPlugin, AdmissionRequest } from "../admission.ts";
import { askWebhook } from "./ask-webhook.ts";
import type { Asking } from "./ask-webhook.ts";
import { reviewSubject } from "./review-target.ts";
import type { WebhookAdmission } from "./webhook-admission.ts";
import { RegisteredWebhooks } from "./webhook-configuration.ts";
import type { RegisteredWebhook } from "./webhook-configuration.ts";
import { matchWebhook } from "./webhook-match.ts";
import { orIgnored } from "./webhook-refusal.ts";

/** Asks the webhooks of `ValidatingWebhookConfiguration`s, all at once; of several refusals the first in their order counts. */
export function validatingWebhooks(options: WebhookAdmission): AdmissionPlugin {
  const webhooks = new RegisteredWebhooks(options.storage, "validatingwebhookconfigurations");
  return {
    name: "ValidatingAdmissionWebhook",
    judgesConnections: true,
    validate: (request) => (webhooks.all.length === 0 ? undefined : validate(options, webhooks.all, request)),
  };
}

async function validate(options: WebhookAdmission, webhooks: readonly RegisteredWebhook[], request: AdmissionRequest): Promise<void> {
  const subject = reviewSubject(request);
  if (subject === undefined) return;
  const { object } = request;
  const askings: Asking[] = [];
  for (const webhook of webhooks) {
    const target = await matchWebhook(webhook, subject, object, options);
    if (target !== undefined) askings.push({ webhook, subject, target, object, isMutating: false });
  }
  const settled = await Promise.allSettled(
    askings.map((asking, index) => {
      const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`;
      return orIgnored(
        asking.webhook,
        () => askWebhook(options.client, asking),
        () => request.context.annotate?.(key, asking.webhook.name),
      );
    }),
  );
  const refused = settled.find((outcome) => outcome.status === "rejected");
  if (refused !== undefined) throw refused.reason;
}
