import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { ServiceAccountTokens } from "@kaji/apiserver";
import type { ActionContext } from "@kaji/apiserver";
import type { DynamicObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { tokenIssuer } from "./token-issuer.ts";

const clock = new ManualClock(Date.UTC(2026, 0, 1));
const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const issue = tokenIssuer(new ServiceAccountTokens({ key, clock, random: seededRandom(1) }));

function object(uid: string, spec: Readonly<Record<string, unknown>> = {}): DynamicObject {
  return { apiVersion: "v1", kind: "X", metadata: { name: "x", uid }, spec };
}

const objects: Readonly<Record<string, DynamicObject>> = {
  "serviceaccounts/team/robot": object("u-1"),
  "secrets/team/key": object("s-1"),
  "pods/team/web": object("p-1", { serviceAccountName: "robot", nodeName: "node-1" }),
  "pods/team/other": object("p-2", { serviceAccountName: "other" }),
  "nodes/node-1": object("n-1"),
};

/** Only what an issuer asks for: time and stored objects. */
const context: object = {
  nowMs: clock.now(),
  objects: {
    get: ({ plural }: { plural: string }, namespace: string | undefined, name: string) =>
      objects[[plural, namespace, name].filter(Boolean).join("/")],
  },
};

async function answer(request: object, name = "robot"): Promise<DynamicObject> {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: {}, ...request } as DynamicObject;
  return issue({ namespace: "team", name, dryRun: false }, body, context as ActionContext);
}

function claimsOf({ status }: DynamicObject): Record<string, unknown> {
  const { token } = status as { token: string };
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
}

test("a token is for the server and an hour unless the request says otherwise", async () => {
  const response = await answer({});
  assert.deepEqual(response.metadata, { name: "robot", namespace: "team", uid: "u-1", creationTimestamp: "2026-01-01T00:00:00Z" });
  assert.deepEqual(response["spec"], { audiences: ["https://kubernetes.default.svc"], expirationSeconds: 3600, boundObjectRef: null });
  assert.equal((response["status"] as { expirationTimestamp: string }).expirationTimestamp, "2026-01-01T01:00:00Z");
  assert.deepEqual(claimsOf(response)["aud"], ["https://kubernetes.default.svc"]);
  const other = await answer({ spec: { audiences: ["vault"], expirationSeconds: 600 } });
  assert.deepEqual([claimsOf(other)["aud"], claimsOf(other)["exp"]], [["vault"], clock.now() / 1000 + 600]);
});

test("a token can be bound to a Secret, a Pod with its node, and a Node", async () => {
  const bound = async (kind: string, name: string): Promise<unknown> =>
    claimsOf(await answer({ spec: { boundObjectRef: { apiVersion: "v1", kind, name } } }))["kubernetes.io"];
  const base = { namespace: "team", serviceaccount: { name: "robot", uid: "u-1" } };
  assert.deepEqual(await bound("Secret", "key"), { ...base, secret: { name: "key", uid: "s-1" } });
  assert.deepEqual(await bound("Pod", "web"), { ...base, node: { name: "node-1", uid: "n-1" }, pod: { name: "web", uid: "p-1" } });
  assert.deepEqual(await bound("Node", "node-1"), { ...base, node: { name: "node-1", uid: "n-1" } });
});

test("what is wrong is refused in the words of the real server", async () => {
  const secret = { apiVersion: "v1", kind: "Secret", name: "key" };
  const cases: readonly (readonly [object, number, string])[] = [
    [
      { spec: { expirationSeconds: 599 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      { spec: { expirationSeconds: 4294967297 } },
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      { metadata: { name: "other" } },
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    ],
    [
      { metadata: { uid: "wrong" } },
      409,
      'Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (wrong) does not match the UID of the service account (u-1)',
    ],
    [{ spec: { boundObjectRef: { apiVersion: "v1", kind: "ConfigMap" } } }, 400, "cannot bind token to object of type /v1, Kind=ConfigMap"],
    [{ spec: { boundObjectRef: {} } }, 400, "cannot bind token to object of type /, Kind="],
    [{ spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "none" } } }, 404, 'pods "none" not found'],
    [
      { spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "other" } } },
      400,
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
    ],
    [
      { spec: { boundObjectRef: { ...secret, uid: "wrong" } } },
      409,
      'Operation cannot be fulfilled on Secret "key": the UID in the bound object reference (wrong) does not match the UID in record. The object might have been deleted and then recreated',
    ],
  ];
  for (const [request, code, message] of cases) await assert.rejects(answer(request), { code, message });
  await assert.rejects(answer({}, "nobody"), { code: 404, message: 'serviceaccounts "nobody" not found' });
});
