import type { AdmissionPlugin } from "../admission.ts";
import type { ObjectSchema } from "../object-schema.ts";
import { mutatingWebhooks } from "./mutating-webhooks.ts";
import { validatingWebhooks } from "./validating-webhooks.ts";
import type { WebhookClient } from "./webhook-client.ts";
import type { WebhookMatchSources } from "./webhook-match.ts";

/** What admission by webhooks needs: configurations and namespaces from storage, and a way to call. */
export interface WebhookAdmission extends WebhookMatchSources {
  readonly client: WebhookClient;
  /** Reads what webhooks make of a `Scale`. */
  readonly scaleSchema: ObjectSchema;
}

/** The plugins that ask webhooks, by their place in the order of admission. */
export function webhookAdmission(options: WebhookAdmission): { readonly mutating: AdmissionPlugin; readonly validating: AdmissionPlugin } {
  return { mutating: mutatingWebhooks(options), validating: validatingWebhooks(options) };
}
