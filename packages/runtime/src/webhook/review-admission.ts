import { ApiError, refusal, stringifyJson, thrownError } from "@kaji/core";
import type { JsonPatchOperation, KubeObject, Status } from "@kaji/core";
import type { Log } from "../log/log.ts";
import type { LiveReads } from "../reconcile/reconcile-context.ts";
import type { AdmissionEndpoint } from "./admission-endpoint.ts";
import type { AdmissionRequest, AdmissionResponse, AdmissionReview } from "./admission-review.ts";

/** What a review runs in. */
export interface ReviewContext {
  readonly log?: Log | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What handlers read with. Default: they cannot read. */
  readonly live?: LiveReads<KubeObject> | undefined;
}

/** The response to a review, and whether the handler failed rather than decided. */
export interface ReviewedAdmission {
  readonly review: AdmissionReview;
  readonly hasPanicked: boolean;
}

/** Asks an endpoint about a write. Whatever its handler throws becomes a refusal: it never rejects. */
export async function reviewAdmission(
  endpoint: AdmissionEndpoint,
  request: AdmissionRequest,
  { log, signal = neverAborted, live = unreadable }: ReviewContext = {},
): Promise<ReviewedAdmission> {
  const { uid, userInfo: user, dryRun = false } = request;
  const warnings: string[] = [];
  const warn = (text: string): void => {
    warnings.push(text);
  };
  const respond = (decision: Omit<AdmissionResponse, "uid" | "warnings">): AdmissionReview => ({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid, ...decision, ...(warnings.length === 0 ? {} : { warnings }) },
  });
  try {
    const changes = await endpoint.decide(request, { user, dryRun, warn, request, signal, live });
    return { review: respond({ allowed: true, ...patchOf(changes) }), hasPanicked: false };
  } catch (thrown) {
    const error = thrownError(thrown);
    if (isRefusal(error)) return { review: respond({ allowed: false, status: error.status }), hasPanicked: false };
    const { namespace, name } = request;
    log?.error({ webhook: endpoint.name, object: namespace === undefined ? name : `${namespace}/${name}`, err: error }, "webhook failed");
    return { review: respond({ allowed: false, status: failureOf(endpoint, error, thrown) }), hasPanicked: true };
  }
}

function patchOf(changes: readonly JsonPatchOperation[]): Pick<AdmissionResponse, "patch" | "patchType"> {
  return changes.length === 0 ? {} : { patch: Buffer.from(stringifyJson(changes)).toString("base64"), patchType: "JSONPatch" };
}

const neverAborted = new AbortController().signal;
const unreadable: LiveReads<KubeObject> = {
  get: () => Promise.reject(new Error("there is no client to read with")),
  list: () => Promise.reject(new Error("there is no client to read with")),
};

/** Whether the handler itself refuses. The refusal of a request that the handler made of some API server is its failure. */
function isRefusal(error: Error): error is ApiError {
  return error instanceof ApiError && error.request === undefined;
}

function failureOf({ name }: AdmissionEndpoint, error: Error, thrown: unknown): Status {
  const what = error === thrown ? `${error.name}: ${error.message}` : error.message;
  return refusal("InternalError", `webhook ${name} failed: ${what}`).status;
}
