import { bodyFromBytes, isJsonArray, isJsonObject, parseJson, stringifyJson } from "@kaji/core";
import type { JsonObject, JsonValue, Transport, TransportResponse } from "@kaji/core";
import { conversions } from "./conversions.ts";

/** Under this origin scenarios name the webhooks that stand in for an operator's. */
export const standInOrigin = "https://webhooks.example.com";

/** Webhooks that behave, well or badly, as their path says. They remember nothing. */
export const standInWebhooks: Transport = async ({ path, body }) => {
  const [name = "", argument = ""] = (path.split("?")[0] ?? "").slice(1).split("/");
  const review = asObject(parseJson(Buffer.from(body ?? []).toString("utf8")));
  const request = asObject(review["request"] ?? null);
  const raw = rawAnswers[name];
  if (raw !== undefined) return raw();
  const conversion = conversions[name];
  if (conversion !== undefined) {
    const { objects, desiredAPIVersion } = request;
    const converted = conversion(
      isJsonArray(objects) ? objects.map(asObject) : [],
      typeof desiredAPIVersion === "string" ? desiredAPIVersion : "",
    );
    return reviewed(review, { uid: request["uid"] ?? "", ...converted });
  }
  const answer = verdicts[name];
  if (answer === undefined) return answered(404, "no such webhook", "text/plain");
  const verdict = answer(request, argument);
  return reviewed(
    { ...review, ...asObject(verdict["review"] ?? null) },
    { uid: request["uid"] ?? "", ...asObject(verdict["response"] ?? null) },
  );
};

type Verdict = (request: JsonObject, argument: string) => JsonObject;

const allowed = (more: JsonObject = {}): JsonObject => ({ response: { allowed: true, ...more } });
const denied = (status?: JsonObject, more: JsonObject = {}): JsonObject => ({
  response: { allowed: false, ...(status === undefined ? {} : { status }), ...more },
});
const patched = (...operations: readonly JsonObject[]): JsonObject =>
  allowed({ patchType: "JSONPatch", patch: base64(stringifyJson(operations)) });

const verdicts: Readonly<Record<string, Verdict>> = {
  allow: () => allowed(),
  deny: () => denied(),
  "deny-message": () => denied({ message: "not this one", code: 403, reason: "Forbidden" }),
  "deny-reason": () => denied({ reason: "NotToday" }),
  "deny-details": () =>
    denied({ status: "Success", code: 422, message: "wrong", details: { name: "it", causes: [{ field: "spec", message: "no" }] } }),
  "deny-code": () => denied({ code: 200, message: "fine, but no" }),
  show: (request) => denied({ message: stringifyJson(shown(request)), code: 400 }),
  label: (request, value) => patched(setIn(request, "labels", "touched", value)),
  append: (request, letter) => patched(setIn(request, "annotations", "rounds", annotation(request, "rounds") + letter)),
  "append-once": (request, letter) =>
    annotation(request, "rounds").includes(letter)
      ? allowed()
      : patched(setIn(request, "annotations", "rounds", annotation(request, "rounds") + letter)),
  replicas: (_request, number) => patched({ op: "add", path: "/spec/replicas", value: Number(number) }),
  unknown: () => patched({ op: "add", path: "/nope", value: 1 }),
  data: (_request, value) => patched({ op: "add", path: "/data", value: { from: value } }),
  mistype: () => patched({ op: "add", path: "/data", value: "text" }),
  rename: () => patched({ op: "replace", path: "/metadata/name", value: "Not_A_Name" }),
  "no-patch": () => allowed({ patchType: "JSONPatch" }),
  "no-operations": () => patched(),
  "no-patch-type": () => allowed({ patch: base64("[]") }),
  "no-patch-type-label": (request) => allowed({ patch: base64(stringifyJson([setIn(request, "labels", "touched", "untyped")])) }),
  "empty-patch-type": () => allowed({ patchType: "", patch: base64("[]") }),
  "other-patch-type": () => allowed({ patchType: "MergePatch", patch: base64('[{"op":"remove","path":"/data"}]') }),
  "broken-patch": () => allowed({ patchType: "JSONPatch", patch: base64("nonsense") }),
  "object-patch": () => allowed({ patchType: "JSONPatch", patch: base64("{}") }),
  "failing-patch": () => patched({ op: "remove", path: "/data/absent" }),
  "failing-test": () => patched({ op: "test", path: "/metadata/name", value: "another" }),
  warn: () => allowed({ warnings: ["be careful", 'with "this"'] }),
  "warn-and-deny": () => denied({ message: "no" }, { warnings: ["it was foreseeable"] }),
  annotate: () => allowed({ auditAnnotations: { note: "seen" } }),
  "wrong-uid": () => allowed({ uid: "another" }),
  "no-uid": () => allowed({ uid: "" }),
  "no-kind": () => ({ review: { kind: "", apiVersion: "" }, response: { allowed: true } }),
  "wrong-kind": () => ({ review: { kind: "Pod", apiVersion: "v1" }, response: { allowed: true } }),
  "old-version": () => ({ review: { apiVersion: "admission.k8s.io/v1beta1" }, response: { allowed: true } }),
  mistyped: () => allowed({ allowed: "yes" }),
};

const rawAnswers: Readonly<Record<string, () => TransportResponse | Promise<TransportResponse>>> = {
  empty: () => answered(200, "", "application/json"),
  "no-json": () => answered(200, "hello", "application/json"),
  "no-response": () => answered(200, '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}', "application/json"),
  array: () => answered(200, "[]", "application/json"),
  "broken-server": () => answered(500, 'it "broke"\n', "text/plain"),
  "json-server": () => answered(500, '{"oh":"no"}', "application/json"),
  "absent-server": () => answered(404, "nothing here", "text/plain"),
  "closed-server": () => answered(403, "go away", "text/plain"),
  "busy-server": () => answered(503, "later", "text/plain"),
  "status-server": () =>
    answered(409, '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"a status of its own","code":409}', "application/json"),
  "odd-server": () => answered(302, "elsewhere", "text/plain"),
  slow: () => new Promise(() => {}),
};

/** Of a request what does not depend on the server or the day. */
function shown({ userInfo: _user, object, oldObject, ...request }: JsonObject): JsonValue {
  return sorted({ ...request, object: withoutHistory(object ?? null), oldObject: withoutHistory(oldObject ?? null) });
}

function withoutHistory(object: JsonValue): JsonValue {
  if (!isJsonObject(object)) return object;
  const { managedFields: _fields, resourceVersion: _revision, ...metadata } = asObject(object["metadata"] ?? null);
  return { ...object, metadata };
}

function sorted(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}

function setIn({ object }: JsonObject, field: "annotations" | "labels", key: string, value: string): JsonObject {
  const metadata = asObject(asObject(object ?? null)["metadata"] ?? null);
  if (!isJsonObject(metadata[field])) return { op: "add", path: `/metadata/${field}`, value: { [key]: value } };
  return { op: "add", path: `/metadata/${field}/${key}`, value };
}

function annotation({ object }: JsonObject, key: string): string {
  const metadata = asObject(asObject(object ?? null)["metadata"] ?? null);
  const value = asObject(metadata["annotations"] ?? null)[key];
  return typeof value === "string" ? value : "";
}

function reviewed({ kind = "", apiVersion = "" }: JsonObject, response: JsonObject): TransportResponse {
  return answered(200, stringifyJson({ kind, apiVersion, response }), "application/json");
}

function answered(status: number, text: string, contentType: string): TransportResponse {
  return { status, headers: { "content-type": contentType }, body: bodyFromBytes(Buffer.from(text)) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function asObject(value: JsonValue): JsonObject {
  return isJsonObject(value) ? value : {};
}
