import type { ObjectSchema } from "../object-schema.ts";
import type { WebhookClient } from "./webhook-client.ts";
import type { WebhookMatchSources } from "./webhook-match.ts";

/** What admission by webhooks needs: configurations and namespaces from storage, and a way to call. */
export interface WebhookAdmission extends WebhookMatchSources {
  readonly client: WebhookClient;
  /** Reads what webhooks make of a `Scale`. */
  readonly scaleSchema: ObjectSchema;
}
