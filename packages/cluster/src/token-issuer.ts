import type { ActionContext, BoundObject, ServiceAccountTokens } from "@kaji/apiserver";
import { FieldPath, badRequest, conflict, formatTime, invalid, invalidValue, notFound } from "@kaji/core";
import type { DynamicObject, FieldError, GroupVersion, JsonObject } from "@kaji/core";
import { formatGoKind } from "@kaji/core/go";
import type { TokenIssuer } from "./kinds/core/service-account.ts";
import { numberField, objectField, optionalObject, stringField, stringsField } from "./kinds/json-fields.ts";

const kind = { group: "authentication.k8s.io", kind: "TokenRequest" } as const;
const defaultSeconds = 3600;
const shortestSeconds = 600;
const longestSeconds = 2 ** 32;

/** Answers TokenRequests with tokens for service accounts that exist, bound to objects that exist. */
export function tokenIssuer(tokens: ServiceAccountTokens): TokenIssuer {
  return async ({ namespace = "", name }, request, context) => {
    requireSameName(request, name);
    const account = required(context, "serviceaccounts", namespace, name);
    const uid = account.metadata.uid ?? "";
    requireSameUid(request, name, uid);
    const given = objectField(request, "spec");
    const asked = stringsField(given, "audiences");
    const audiences = asked.length === 0 ? tokens.audiences : asked;
    const expirationSeconds = numberField(given, "expirationSeconds") ?? defaultSeconds;
    const errors = durationErrors(expirationSeconds);
    if (errors.length > 0) throw invalid(kind, "", errors);
    const reference = optionalObject(given, "boundObjectRef");
    const bound = reference === undefined ? {} : { bound: boundObject(context, namespace, name, reference) };
    const token = await tokens.issue({ namespace, name, uid, audiences, expirationSeconds, ...bound });
    const { nowMs } = context;
    return {
      ...request,
      metadata: { ...request.metadata, name, namespace, uid, creationTimestamp: formatTime(nowMs) },
      spec: { audiences, expirationSeconds, boundObjectRef: reference ?? null },
      status: { token, expirationTimestamp: formatTime(nowMs + expirationSeconds * 1000) },
    };
  };
}

function requireSameName({ metadata }: DynamicObject, name: string): void {
  const given = stringField({ ...metadata }, "name");
  if (given === "" || given === name) return;
  throw invalid(kind, name, [invalidValue(FieldPath.of("metadata", "name"), given, "must match the service account name if specified")]);
}

function requireSameUid({ metadata }: DynamicObject, name: string, uid: string): void {
  const given = metadata.uid ?? "";
  if (given === "" || given === uid) return;
  const why = `the UID in the token request (${given}) does not match the UID of the service account (${uid})`;
  throw conflict({ group: kind.group, plural: kind.kind }, name, why);
}

function durationErrors(seconds: number): readonly FieldError[] {
  const at = FieldPath.of("spec", "expirationSeconds");
  if (seconds < shortestSeconds) return [invalidValue(at, seconds, "may not specify a duration less than 10 minutes")];
  return seconds > longestSeconds ? [invalidValue(at, seconds, "may not specify a duration larger than 2^32 seconds")] : [];
}

/** What the token is to be bound to, as it is now. */
function boundObject(context: ActionContext, namespace: string, account: string, reference: JsonObject): BoundObject {
  const name = stringField(reference, "name");
  const { group, version } = groupVersionOf(stringField(reference, "apiVersion"));
  const boundKind = stringField(reference, "kind");
  if (group !== "" || !isBindable(boundKind))
    throw badRequest(`cannot bind token to object of type ${formatGoKind({ group, version, kind: boundKind })}`);
  const found = required(context, plurals[boundKind], boundKind === "Node" ? undefined : namespace, name);
  if (boundKind === "Pod" && stringField(objectField(found, "spec"), "serviceAccountName") !== account) {
    throw badRequest(`cannot bind token for serviceaccount "${account}" to pod running with different serviceaccount name.`);
  }
  const uid = found.metadata.uid ?? "";
  const expectedUid = stringField(reference, "uid");
  if (expectedUid !== "" && expectedUid !== uid) {
    const why = "does not match the UID in record. The object might have been deleted and then recreated";
    throw conflict({ group: "", plural: boundKind }, name, `the UID in the bound object reference (${expectedUid}) ${why}`);
  }
  return boundKind === "Pod" ? { kind: boundKind, name, uid, ...nodeOf(context, found) } : { kind: boundKind, name, uid };
}

/** The node of a pod; its name alone if it is gone. */
function nodeOf({ objects }: ActionContext, pod: DynamicObject): Pick<BoundObject & { readonly kind: "Pod" }, "node"> {
  const name = stringField(objectField(pod, "spec"), "nodeName");
  if (name === "") return {};
  const uid = objects.get({ group: "", plural: plurals.Node }, undefined, name)?.metadata.uid;
  return { node: { name, ...(uid === undefined ? {} : { uid }) } };
}

/** What is no version at all is none, rather than an error. */
function groupVersionOf(apiVersion: string): GroupVersion {
  const parts = apiVersion.split("/");
  const [group = "", version = ""] = parts.length === 1 ? ["", ...parts] : parts;
  return parts.length > 2 ? { group: "", version: "" } : { group, version };
}

const plurals = { Node: "nodes", Pod: "pods", Secret: "secrets" } as const;

function isBindable(name: string): name is keyof typeof plurals {
  return Object.hasOwn(plurals, name);
}

function required({ objects }: ActionContext, plural: string, namespace: string | undefined, name: string): DynamicObject {
  const resource = { group: "", plural };
  const found = objects.get(resource, namespace, name);
  if (found === undefined) throw notFound(resource, name);
  return found;
}
