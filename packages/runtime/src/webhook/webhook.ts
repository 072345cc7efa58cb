import type { KubeObject, Resource } from "@kaji/core";
import type { Watched } from "../declare/declarations.ts";
import { mutatingEndpoint, validatingEndpoint } from "./admission-endpoint.ts";
import type { AdmissionEndpoint } from "./admission-endpoint.ts";
import { cachedKinds } from "./webhook-cache.ts";
import type { CachedKind } from "./webhook-cache.ts";
import type { WebhookMatching, WebhookOptions } from "./webhook-options.ts";
import { kindText } from "./webhook-path.ts";
import type { ReadKind } from "../declare/reading-part.ts";

/** Fills in and judges the objects of a kind before they are stored. Pure data and functions: what serves or installs it is elsewhere. */
export interface Webhook {
  readonly type: "Webhook";
  readonly resource: Resource;
  /** One for each thing it does: changing objects, judging them. */
  readonly endpoints: readonly AdmissionEndpoint[];
  readonly matching: WebhookMatching;
  /** The kinds that its handlers read from the server. */
  readonly uses: readonly ReadKind[];
  /** The kinds that its handlers read from memory. */
  readonly watches: readonly Watched[];
}

/** Declares what happens to the objects of a kind, custom or built in, before they are stored. */
export function webhook<
  T extends KubeObject,
  const Uses extends readonly ReadKind[] = readonly [],
  const Watches extends readonly CachedKind[] = readonly [],
>(resource: Resource<T>, options: WebhookOptions<T, Uses, Watches>): Webhook {
  const { default: fill, validate, validateDelete, uses = [], watches = [], ...matching } = options;
  const { operations = ["CREATE", "UPDATE"] } = matching;
  if (operations.length === 0)
    throw new TypeError(`the webhook of ${kindText(resource)} is for no operations: leave out operations for all`);
  const endpoints: AdmissionEndpoint[] = [];
  if (fill !== undefined) endpoints.push(mutatingEndpoint(resource, fill, operations));
  if (validate !== undefined || validateDelete !== undefined)
    endpoints.push(validatingEndpoint(resource, { validate, validateDelete }, operations));
  if (endpoints.length === 0)
    throw new TypeError(`the webhook of ${kindText(resource)} does nothing: give it default, validate or validateDelete`);
  return { type: "Webhook", resource, endpoints, matching, uses, watches: cachedKinds({ type: "Webhook", resource }, watches) };
}
