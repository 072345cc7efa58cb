import { bodyBytes, isJsonObject, parseJsonBytes, valueAt } from "@kaji/core";
import type { Clock, JsonValue } from "@kaji/core";
import { quote } from "@kaji/core/go";
import { mastersGroup } from "@kaji/core/serving";
import type { ApiResource } from "../discovery/api-resources.ts";
import { goNetworkError } from "../webhooks/go-network-error.ts";
import type { ServiceReference } from "../webhooks/webhook-client.ts";
import type { ApiService, RemoteService } from "./api-service.ts";
import { UnresolvedServiceError } from "./extension-caller.ts";
import type { RemoteResponse } from "../http/passed-on.ts";
import type { ExtensionCaller } from "./extension-caller.ts";
import { userHeaders } from "./front-proxy-headers.ts";

/** Says what stands in the way of a service; undefined when nothing does, as far as its objects tell. */
export type ServiceCheck = (service: ServiceReference) => ServiceProblem | undefined;

/** Why a service cannot be reached, as a condition says it. */
export interface ServiceProblem {
  readonly reason: "ServiceNotFound" | "ServicePortError" | "EndpointsNotFound" | "MissingEndpoints";
  readonly message: string;
}

/** Whether an extension server can be used, and what it serves if it can. */
export type Verdict =
  | { readonly type: "Available"; readonly resources: readonly ApiResource[]; readonly documents: ReadonlyMap<string, string> }
  | { readonly type: "Unavailable"; readonly reason: string; readonly message: string };

const patienceMs = 5000;
/** Under this name, which may see everything, the server looks whether an extension server is there. */
const inspector = { username: "system:kube-aggregator", groups: [mastersGroup] };

/** Looks whether an extension server is there, by asking what it serves. */
export async function checkAvailability(
  caller: ExtensionCaller,
  service: ApiService & { readonly remote: RemoteService },
  { checkService, clock, signal }: { readonly checkService: ServiceCheck; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Verdict> {
  const { remote, group, version } = service;
  const problem = caller.isInProcess(remote) ? undefined : checkService(remote);
  if (problem !== undefined) return { type: "Unavailable", ...problem };
  using inspection = inspect(caller, remote, { clock, signal });
  const { ask } = inspection;
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  let url = "";
  try {
    url = new URL(path, await caller.urlOf(remote)).href;
    const response = await ask(path);
    const document = await jsonBody(response);
    if (response.status < 200 || response.status >= 300)
      return failed(`failing or missing response from ${url}: bad status from ${url}: ${response.status}`);
    return { type: "Available", resources: resourcesOf(document), documents: documentsOf(await openApiIndex(ask), path.slice(1)) };
  } catch (error) {
    if (error instanceof UnresolvedServiceError) return failed(error.message);
    const late = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
    return failed(`failing or missing response from ${url}: Get ${quote(url)}: ${inspection.isLate ? late : goNetworkError(error)}`);
  }
}

/** Asks an extension server for what it says of itself. All responses together have to come in time. */
export function inspect(
  caller: ExtensionCaller,
  remote: RemoteService,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Inspection {
  const limit = new AbortController();
  const timer = clock.timer(patienceMs, () => limit.abort());
  const headers = { ...userHeaders(inspector), accept: "application/json" };
  const ended = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
  return {
    ask: (path) => caller.call(remote, { method: "GET", path, headers, body: undefined, signal: ended }),
    get isLate() {
      return limit.signal.aborted;
    },
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  };
}

/** Requests to an extension server, until it is disposed of. */
interface Inspection extends Disposable {
  readonly ask: (path: string) => Promise<RemoteResponse>;
  /** Whether the time is over. */
  readonly isLate: boolean;
}

function failed(message: string): Verdict {
  return { type: "Unavailable", reason: "FailedDiscoveryCheck", message };
}

function resourcesOf(document: JsonValue): readonly ApiResource[] {
  const resources = isJsonObject(document) ? document["resources"] : undefined;
  return Array.isArray(resources) ? resources.filter(isApiResource) : [];
}

function isApiResource(value: unknown): value is ApiResource {
  return typeof value === "object" && value !== null && "name" in value;
}

/** Not every server has documents; that is no reason not to use it. */
async function openApiIndex(ask: (path: string) => Promise<RemoteResponse>): Promise<JsonValue> {
  try {
    const response = await ask("/openapi/v3");
    const index = await jsonBody(response);
    return response.status === 200 ? index : null;
  } catch {
    return null;
  }
}

/** Where the documents of v3 are that are about this very version, by their paths below `/openapi/v3/`. */
function documentsOf(index: JsonValue, path: string): ReadonlyMap<string, string> {
  const url = valueAt(index, "paths", path, "serverRelativeURL");
  return new Map(typeof url === "string" ? [[path, url]] : []);
}

async function jsonBody({ body }: RemoteResponse): Promise<JsonValue> {
  const bytes = await bodyBytes(body);
  try {
    return parseJsonBytes(bytes);
  } catch {
    return null;
  }
}
