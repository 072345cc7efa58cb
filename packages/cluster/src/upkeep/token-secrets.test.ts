import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { ServiceAccountTokens } from "@kaji/apiserver";
import type { JsonObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { objectField, stringField } from "../kinds/json-fields.ts";
import { startAdmissionRig } from "../testing/admission-rig.ts";
import { LocalApi } from "./local-api.ts";
import { TokenSecrets } from "./token-secrets.ts";

const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const namespace = "/api/v1/namespaces/default";
const type = "kubernetes.io/service-account-token";

/** A server with a service account `robot`, whose Secrets are looked after. */
async function setUp() {
  const tokens = new ServiceAccountTokens({ key, clock: new ManualClock(), random: seededRandom(1) });
  const rig = await startAdmissionRig({ tokens });
  const { body } = await rig.call("POST", `${namespace}/serviceaccounts`, { metadata: { name: "robot" } });
  const start = (): TokenSecrets =>
    new TokenSecrets(rig.server, new LocalApi(rig.server.transport(), "test"), { tokens, rootCa: "authority" });
  const reviewed = async (token: string): Promise<JsonObject> =>
    objectField((await rig.call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } })).body, "status");
  return { rig, start, reviewed, uid: stringField(objectField(body, "metadata"), "uid") };
}

function named(name: string, account: string, rest: JsonObject = {}): JsonObject {
  return { metadata: { name, annotations: { "kubernetes.io/service-account.name": account } }, type, ...rest };
}

function decoded(secret: JsonObject): Readonly<Record<string, string>> {
  const data = objectField(secret, "data");
  return Object.fromEntries(Object.keys(data).map((name) => [name, Buffer.from(stringField(data, name), "base64").toString("utf8")]));
}

test("[SA1] a Secret for it is given a token of the service account it names, which says who that is as long as it is kept there", async () => {
  const { rig, start, reviewed, uid } = await setUp();
  await using _rig = rig;
  using controller = start();
  await rig.call("POST", `${namespace}/secrets`, named("robot", "robot", { data: { extra: "MQ==" } }));
  await controller.settled();
  const { body } = await rig.call("GET", `${namespace}/secrets/robot`);
  const { token = "", ...rest } = decoded(body);
  assert.deepEqual(rest, { "ca.crt": "authority", namespace: "default", extra: "1" });
  assert.equal(stringField(objectField(objectField(body, "metadata"), "annotations"), "kubernetes.io/service-account.uid"), uid);
  assert.deepEqual(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")), {
    iss: "kubernetes/serviceaccount",
    "kubernetes.io/serviceaccount/namespace": "default",
    "kubernetes.io/serviceaccount/secret.name": "robot",
    "kubernetes.io/serviceaccount/service-account.name": "robot",
    "kubernetes.io/serviceaccount/service-account.uid": uid,
    sub: "system:serviceaccount:default:robot",
  });
  assert.deepEqual(await reviewed(token), {
    authenticated: true,
    user: {
      username: "system:serviceaccount:default:robot",
      uid,
      groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
    },
    audiences: ["https://kubernetes.default.svc"],
  });
  await rig.call("PATCH", `${namespace}/secrets/robot`, { data: { token: null } });
  await controller.settled();
  assert.match(stringField(await reviewed(token), "error"), /Token does not match server's copy/);
  const { token: next = "" } = decoded((await rig.call("GET", `${namespace}/secrets/robot`)).body);
  assert.equal((await reviewed(next))["authenticated"], true);
  await rig.call("DELETE", `${namespace}/secrets/robot`);
  assert.match(stringField(await reviewed(next), "error"), /Token has been invalidated/);
});

test("[SA1] a Secret that was there before is looked at, and what it has is left as it is", async () => {
  const { rig, start, reviewed } = await setUp();
  await using _rig = rig;
  await rig.call("POST", `${namespace}/secrets`, named("robot", "robot", { stringData: { token: "mine", "ca.crt": "another" } }));
  await rig.call("POST", `${namespace}/secrets`, { metadata: { name: "other" }, stringData: { type } });
  using controller = start();
  await controller.settled();
  assert.deepEqual(decoded((await rig.call("GET", `${namespace}/secrets/robot`)).body), {
    "ca.crt": "authority",
    namespace: "default",
    token: "mine",
  });
  assert.deepEqual(decoded((await rig.call("GET", `${namespace}/secrets/other`)).body), { type });
  assert.equal((await reviewed("mine"))["authenticated"], undefined);
});

test("[SA2] a Secret goes with its service account, and does not serve another of the same name", async () => {
  const { rig, start } = await setUp();
  await using _rig = rig;
  using controller = start();
  await rig.call("POST", `${namespace}/secrets`, named("robot", "robot"));
  await rig.call("POST", `${namespace}/secrets`, named("nobody", "nobody"));
  await controller.settled();
  const statusOf = async (name: string): Promise<number> => (await rig.call("GET", `${namespace}/secrets/${name}`)).status;
  assert.deepEqual([await statusOf("robot"), await statusOf("nobody")], [200, 404]);
  await rig.call("DELETE", `${namespace}/serviceaccounts/robot`);
  await rig.call("POST", `${namespace}/serviceaccounts`, { metadata: { name: "robot" } });
  await controller.settled();
  assert.equal(await statusOf("robot"), 404);
});
