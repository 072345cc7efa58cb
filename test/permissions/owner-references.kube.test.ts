import assert from "node:assert/strict";
import { test } from "node:test";
import { startKube } from "@kaji-tools/kube";
import { createMemoryStorage } from "@kaji/apiserver";
import { httpTransport, loadConfig } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { bodyText, systemClock, systemRandom } from "@kaji/core";
import type { JsonValue, Transport, TransportRequest } from "@kaji/core";

const plugin = "OwnerReferencesPermissionEnforcement";
const maps = "/api/v1/namespaces/shop/configmaps";
const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles";

test("[ADM47] who may change owners and block their deletion is decided as by a real kube-apiserver, in its words", async () => {
  await using kube = await startKube({ apiserverFlags: [`--enable-admission-plugins=${plugin}`] });
  const { connection } = await loadConfig({ kubeconfig: kube.kubeconfig });
  await using real = httpTransport(connection);
  const storage = createMemoryStorage({ clock: systemClock });
  const options = { clock: systemClock, random: systemRandom, authorize: "rbac", withAdmission: [plugin] } as const;
  await using server = createApiServer({ storage, ...options });
  const [expected, answers] = [await play(real), await play(server.transport())];
  assert.deepEqual(answers, expected);
  assert.deepEqual(
    expected.map(([status]) => status),
    [201, 201, 403, 403, 403, 201, 403, 200, 200, 403, 200, 200, 403],
  );
});

/** What Jane is answered, who first may only write ConfigMaps, and is then allowed more and more. */
async function play(send: Transport): Promise<readonly (readonly [status: number, message: string | undefined])[]> {
  const answers: (readonly [number, string | undefined])[] = [];
  const jane = async (...request: Asked): Promise<void> => void answers.push(await ask(send, "jane", request));
  const admin = async (...request: Asked): Promise<void> => {
    const [status, message] = await ask(send, undefined, request);
    assert.ok(status < 300, message);
  };
  const allow = (...rules: readonly JsonValue[]): Promise<void> =>
    admin("PUT", `${roles}/jane`, { metadata: { name: "jane" }, rules: [...rules] });
  await admin("POST", "/api/v1/namespaces", { metadata: { name: "shop" } });
  await admin("POST", roles, { metadata: { name: "jane" }, rules: [write] });
  await admin("POST", roles.replace(/roles$/, "rolebindings"), {
    metadata: { name: "jane" },
    subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { kind: "Role", name: "jane", apiGroup: "rbac.authorization.k8s.io" },
  });
  await jane("POST", maps, map("plain", []));
  await jane("POST", maps, map("owned", [owner({})]));
  await jane("POST", maps, map("blocking", [owner({ blockOwnerDeletion: true })]));
  await jane("POST", maps, map("strange", [owner({ blockOwnerDeletion: true, kind: "Strange" })]));
  await jane("PUT", `${maps}/plain`, map("plain", [owner({})]));
  await allow(write, finalizers);
  await jane("POST", maps, map("blocking", [owner({ blockOwnerDeletion: true })]));
  await jane("PUT", `${maps}/plain`, map("plain", [owner({ blockOwnerDeletion: true })]));
  await allow(write, remove);
  await jane("PUT", `${maps}/plain`, map("plain", [owner({})]));
  await jane("PUT", `${maps}/blocking`, map("blocking", [owner({ blockOwnerDeletion: true, controller: true })]));
  await jane("PUT", `${maps}/plain`, map("plain", [owner({ blockOwnerDeletion: true })]));
  await jane("PUT", `${maps}/plain`, { ...map("plain", [owner({})]), data: { text: "changed" } });
  await allow(write);
  await jane("PUT", `${maps}/plain`, map("plain", [owner({})]));
  await jane("PUT", `${maps}/plain`, map("plain", []));
  return answers;
}

type Asked = readonly [method: TransportRequest["method"], path: string, body: JsonValue];

async function ask(
  send: Transport,
  user: string | undefined,
  [method, path, body]: Asked,
): Promise<readonly [status: number, message: string | undefined]> {
  const impersonation = user === undefined ? {} : { "impersonate-user": user };
  const headers = { "content-type": "application/json", ...impersonation };
  const response = await send({ method, path, headers, body: Buffer.from(JSON.stringify(body)) });
  const { message }: { readonly message?: string } = JSON.parse(await bodyText(response.body));
  return [response.status, message];
}

const write: JsonValue = { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "update"] };
const remove: JsonValue = { apiGroups: [""], resources: ["configmaps"], verbs: ["delete"] };
const finalizers: JsonValue = { apiGroups: [""], resources: ["secrets/finalizers"], verbs: ["update"] };

function map(name: string, ownerReferences: readonly JsonValue[]): Readonly<Record<string, JsonValue>> {
  return { metadata: { name, ownerReferences: [...ownerReferences] } };
}

function owner(more: Readonly<Record<string, JsonValue>>): JsonValue {
  return { apiVersion: "v1", kind: "Secret", name: "a", uid: "0d1c8f0e-1111-4222-8333-000000000000", ...more };
}
