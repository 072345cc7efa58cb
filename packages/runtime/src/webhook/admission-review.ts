import { ApiError, aggregateMessage, isJsonObject, qualifiedNameErrors, refusal, stringifyJson, thrownError } from "@kaji/core";
import type { JsonPatchOperation, KubeObject, Status } from "@kaji/core";
import type { LiveReads } from "../declare/reconcile-context.ts";
import type { AdmissionEndpoint } from "./admission-endpoint.ts";
import type { AnyWebhookCache } from "./webhook-cache.ts";
import type { ReviewContext, Reviewed } from "./review.ts";
import type { AdmissionRequest } from "./admission-request.ts";
import type { WriteContext } from "./webhook-options.ts";

/** What an API server and a webhook send each other, `admission.k8s.io/v1`: a request one way, a response the other. */
export interface AdmissionReview {
  readonly apiVersion: "admission.k8s.io/v1";
  readonly kind: "AdmissionReview";
  readonly request?: AdmissionRequest;
  readonly response?: AdmissionResponse;
}

/** Whether the write may be made, and with which changes. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Status;
  /** A JSON patch in base64. */
  readonly patch?: string;
  readonly patchType?: "JSONPatch";
  readonly warnings?: readonly string[];
  /** What is noted in the audit log, by keys that the server puts behind the name of the webhook. */
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

/** What the handlers of a webhook read with. */
export interface HandlerReads {
  readonly live: LiveReads<KubeObject>;
  /** What they read from memory, as soon as it is there. */
  readonly cached: () => Promise<AnyWebhookCache>;
}

/** Asks an endpoint about a write. Whatever its handler throws becomes a refusal: it never rejects. */
export async function reviewAdmission(
  endpoint: AdmissionEndpoint,
  request: AdmissionRequest,
  { log, signal = neverAborted, live, cached }: ReviewContext & HandlerReads,
): Promise<Reviewed<AdmissionReview>> {
  const { uid, userInfo: user, dryRun = false } = request;
  const remarks = new Remarks();
  const { warn, audit } = remarks;
  const respond = (decision: Omit<AdmissionResponse, "auditAnnotations" | "uid" | "warnings">): AdmissionReview => ({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid, ...decision, ...remarks.told() },
  });
  try {
    const changes = await endpoint.decide(request, { user, dryRun, warn, audit, request, signal, live, ...(await cached()) });
    return { review: respond({ allowed: true, ...patchOf(changes) }), hasPanicked: false };
  } catch (thrown) {
    const error = thrownError(thrown);
    if (isRefusal(error)) return { review: respond({ allowed: false, status: error.status }), hasPanicked: false };
    log?.error({ webhook: endpoint.name, object: objectName(request), err: error }, "webhook failed");
    return { review: respond({ allowed: false, status: failureOf(endpoint, error, thrown) }), hasPanicked: true };
  }
}

/** `shop/web`, or `shop/web-*` of an object that is given its name when it is stored. */
function objectName({ namespace, name = "", object }: AdmissionRequest): string {
  const metadata = isJsonObject(object) ? object["metadata"] : undefined;
  const prefix = isJsonObject(metadata) ? metadata["generateName"] : undefined;
  const known = name === "" && typeof prefix === "string" ? `${prefix}*` : name;
  return namespace === undefined ? known : `${namespace}/${known}`;
}

/** What a handler says beside its decision. */
class Remarks {
  readonly #warnings: string[] = [];
  readonly #annotations = new Map<string, string>();

  readonly warn: WriteContext["warn"] = (about) => {
    this.#warnings.push(typeof about === "string" ? about : aggregateMessage([about]));
  };

  readonly audit: WriteContext["audit"] = (key, value) => {
    // The server puts the name of the webhook before it, and drops what makes no key then.
    const [problem] = key.includes("/") ? ["must not have a prefix"] : qualifiedNameErrors(key);
    if (problem !== undefined) throw new TypeError(`audit() cannot note ${JSON.stringify(key)}: ${problem}`);
    this.#annotations.set(key, value);
  };

  told(): Pick<AdmissionResponse, "auditAnnotations" | "warnings"> {
    return {
      ...(this.#warnings.length === 0 ? {} : { warnings: this.#warnings }),
      ...(this.#annotations.size === 0 ? {} : { auditAnnotations: Object.fromEntries(this.#annotations) }),
    };
  }
}

function patchOf(changes: readonly JsonPatchOperation[]): Pick<AdmissionResponse, "patch" | "patchType"> {
  return changes.length === 0 ? {} : { patch: Buffer.from(stringifyJson(changes)).toString("base64"), patchType: "JSONPatch" };
}

const neverAborted = new AbortController().signal;

/** Whether the handler itself refuses. The refusal of a request that the handler made of some API server is its failure. */
function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && error.request === undefined;
}

function failureOf({ name }: AdmissionEndpoint, error: Error, thrown: unknown): Status {
  const what = error === thrown ? `${error.name}: ${error.message}` : error.message;
  return refusal("InternalError", `webhook ${name} failed: ${what}`).status;
}
