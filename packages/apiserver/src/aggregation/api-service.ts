import { conditionsOf, isConditionTrue, isJsonObject, objectAt, parseJsonBytes, textAt } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { readOnce } from "../storage/read-once.ts";
import type { ServiceReference } from "../webhooks/webhook-client.ts";

/** Who serves one version of a group, as an object of `apiregistration.k8s.io/v1` says. */
export interface ApiService {
  /** `VERSION.GROUP`. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** Undefined when this very server serves it. */
  readonly remote: RemoteService | undefined;
  /** Whether the server keeps it as it should be all the time, as for custom kinds. */
  readonly isManaged: boolean;
  /** Whether the last check of its availability went well. */
  readonly isAvailable: boolean;
  readonly conditions: readonly ApiServiceCondition[];
}

/** Where an extension server is, and how it is known to be the right one. */
export interface RemoteService extends ServiceReference {
  /** PEM; empty for the authorities that the machine trusts. */
  readonly ca: string;
  readonly skipsVerification: boolean;
}

/** What is known of an APIService; the only type there is is `Available`. */
export interface ApiServiceCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Says what the server itself takes care of: made at its start, or kept as it should be all the time. */
export const managedLabel = "kube-aggregator.kubernetes.io/automanaged";

/** Below it are all APIServices. */
export const apiServicePrefix = "/registry/apiregistration.k8s.io/apiservices/";

/** Reads an APIService as it is stored. */
export const readApiService: (bytes: Uint8Array) => ApiService = readOnce((bytes) => {
  const object = parseJsonBytes(bytes);
  const spec = objectAt(object, "spec");
  const conditions = conditionsOf(objectAt(object, "status")["conditions"]);
  return {
    name: textAt(object, "metadata", "name"),
    group: textAt(spec, "group"),
    version: textAt(spec, "version"),
    groupPriority: numberOf(spec["groupPriorityMinimum"], 0),
    versionPriority: numberOf(spec["versionPriority"], 0),
    remote: isJsonObject(spec["service"]) ? remoteOf(spec, spec["service"]) : undefined,
    isManaged: textAt(object, "metadata", "labels", managedLabel) === "true",
    isAvailable: isConditionTrue(conditions, "Available"),
    conditions,
  };
});

function remoteOf(spec: JsonObject, service: JsonObject): RemoteService {
  return {
    namespace: textAt(service, "namespace"),
    name: textAt(service, "name"),
    port: numberOf(service["port"], 443),
    ca: Buffer.from(textAt(spec, "caBundle"), "base64").toString("utf8"),
    skipsVerification: spec["insecureSkipTLSVerify"] === true,
  };
}

function numberOf(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
