import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { ServiceAccountTokens, createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Namespace, ServiceAccount } from "@kaji/types/core/v1";

test("a token that has expired is none, and one that has not is one to the last", async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  const random = seededRandom(1);
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const tokens = new ServiceAccountTokens({ key, clock, random });
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), authorize: "rbac", tokens, clock, random });
  const admin = new KubeClient(server.transport(), { clock });
  await admin.create(Namespace, { metadata: { name: "team" } });
  await admin.create(ServiceAccount, { metadata: { name: "robot", namespace: "team" } });
  const { status } = await admin.createToken("team/robot", { expirationSeconds: 600 });
  const use = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${status?.token}` };
    return (await server.handle({ method: "GET", path: "/metrics", headers })).status;
  };
  // Who is known but has no role is refused with 403; who is not known, with 401.
  await clock.advance(599_000);
  assert.equal(await use(), 403);
  await clock.advance(62_000);
  assert.equal(await use(), 401);
});
