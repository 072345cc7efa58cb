import { isIP } from "node:net";
import { formatMicroTime, isJsonObject, parseJson } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { UserInfo } from "@kaji/core/serving";
import type { RequestRecord } from "../api-server.ts";

/**
 * A request and its response as an `audit.k8s.io/v1` Event: who asked for what, how it was decided and how it ended, but nothing of what was said.
 * A request has one: a watch when it begins, anything else when it has been answered.
 */
export function auditEvent(record: RequestRecord): JsonObject {
  const { request, info, user, impersonation, response, receivedMs, durationMs, auditId } = record;
  const said = responseOf(record);
  const isStarted = response.isLive === true || user === undefined;
  const { constraint } = impersonation ?? {};
  const agent = request.headers["user-agent"] ?? "";
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: auditId,
    stage: isStarted ? "ResponseStarted" : "ResponseComplete",
    requestURI: request.path,
    verb: info.verb,
    user: user === undefined ? {} : userFields(user),
    ...(impersonation === undefined ? {} : { impersonatedUser: userFields(impersonation.user) }),
    ...(constraint === undefined ? {} : { authenticationMetadata: { impersonationConstraint: constraint } }),
    ...nonEmpty("sourceIPs", sourceAddresses(record)),
    ...(agent === "" ? {} : { userAgent: agent }),
    ...objectReference(record, said),
    responseStatus: responseStatus(response.status, said),
    requestReceivedTimestamp: formatMicroTime(receivedMs),
    stageTimestamp: formatMicroTime(receivedMs + durationMs),
    ...annotationsOf(record),
  };
}

function userFields({ username, uid = "", groups, extra = {} }: UserInfo): JsonObject {
  return {
    username,
    ...(uid === "" ? {} : { uid }),
    ...nonEmpty("groups", groups),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Where a request came from, as far as those say who passed it on, the last of them by its address. */
function sourceAddresses({ request: { headers, remoteAddress } }: RequestRecord): readonly string[] {
  const forwarded = [...(headers["x-forwarded-for"] ?? "").split(","), headers["x-real-ip"] ?? ""].map((address) => address.trim());
  const addresses = [...forwarded, remoteAddress ?? ""].filter((address) => isIP(address) > 0);
  return addresses.filter((address, index) => address !== addresses[index - 1]);
}

function objectReference({ info, status }: RequestRecord, said: JsonObject | undefined): JsonObject {
  if (info.type === "Path") return {};
  const metadata = said?.["metadata"];
  const created = status === 201 && isJsonObject(metadata) ? metadata["name"] : undefined;
  const fields = {
    resource: info.resource,
    namespace: info.namespace,
    name: info.name ?? created,
    apiGroup: info.group === "" ? undefined : info.group,
    apiVersion: info.version,
    subresource: info.subresource,
  };
  return { objectRef: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}

/** The code, and all of a Status, if that was the response. */
function responseStatus(code: number, said: JsonObject | undefined): JsonObject {
  if (said?.["kind"] !== "Status") return { metadata: {}, code };
  const { kind: _kind, apiVersion: _apiVersion, ...status } = said;
  return { ...status, code };
}

/** The response, where it is worth reading: a Status, or what was created. */
function responseOf({ response: { body }, info }: RequestRecord): JsonObject | undefined {
  if (!(body instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const isStatus = /^\{\s*"kind":\s*"Status"/.test(bytes.toString("utf8", 0, 40));
  if (!isStatus && info.verb !== "create") return undefined;
  try {
    const value: JsonValue = parseJson(bytes.toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function annotationsOf({ decision, annotations }: RequestRecord): JsonObject {
  const ofDecision =
    decision === undefined
      ? {}
      : { "authorization.k8s.io/decision": decision.allowed ? "allow" : "forbid", "authorization.k8s.io/reason": decision.reason };
  const all = { ...Object.fromEntries(annotations), ...ofDecision };
  return Object.keys(all).length === 0 ? {} : { annotations: all };
}

function nonEmpty(name: string, values: readonly string[]): JsonObject {
  return values.length === 0 ? {} : { [name]: values };
}
