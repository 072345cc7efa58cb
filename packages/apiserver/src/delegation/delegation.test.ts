import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transport } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { readAuthenticationConfig } from "./authentication-config.ts";
import { bySubjectAccessReview } from "./delegated-authorizer.ts";
import { byTokenReview } from "./token-review.ts";

const clock = new ManualClock();
const listFlunders = {
  type: "Resource",
  verb: "list",
  group: "wardle.example.com",
  version: "v1alpha1",
  resource: "flunders",
  namespace: "default",
  name: undefined,
  subresource: undefined,
} as const;

/** A main server that answers every request with this object, and remembers what it was asked. */
function mainServer(answer: (asked: Record<string, unknown>) => unknown, status = 201): { transport: Transport; asked: unknown[] } {
  const asked: unknown[] = [];
  const transport: Transport = async ({ body }) => {
    const object = body === undefined ? {} : JSON.parse(Buffer.from(body).toString("utf8"));
    asked.push(object);
    const text = JSON.stringify(answer(object));
    return {
      status,
      headers: {},
      body: (async function* () {
        yield Buffer.from(text);
      })(),
    };
  };
  return { transport, asked };
}

test("[DLG4] the main server says whose a token is, and is believed for ten seconds", async () => {
  const user = { username: "eve", groups: ["ops"], extra: { k: ["v"] } };
  const main = mainServer(({ spec }) => ({ status: Object(spec).token === "good" ? { authenticated: true, user } : {} }));
  const authenticate = byTokenReview(main.transport, clock);
  const withToken = (token: string) => authenticate({ headers: { authorization: `Bearer ${token}` } });
  assert.deepEqual(await withToken("good"), user);
  assert.deepEqual(await withToken("good"), user);
  assert.equal(main.asked.length, 1);
  await clock.advance(10_000);
  await withToken("good");
  assert.equal(main.asked.length, 2);
  await assert.rejects(async () => withToken("bad"), /Unauthorized/);
  assert.equal(await authenticate({ headers: {} }), undefined, "who shows no token is not its business");
});

test("[DLG5] the main server says what somebody may do", async () => {
  const main = mainServer(({ spec }) => ({ status: { allowed: Object(spec).user === "eve", reason: "so" } }));
  const authorize = bySubjectAccessReview(main.transport, clock);
  const eve = { username: "eve", uid: "7", groups: ["ops"] };
  assert.deepEqual(await authorize(eve, listFlunders), { allowed: true, reason: "so" });
  assert.equal((await authorize({ ...eve, username: "bob" }, listFlunders)).allowed, false);
  assert.deepEqual(Object(main.asked[0]).spec, {
    user: "eve",
    uid: "7",
    groups: ["ops"],
    resourceAttributes: { verb: "list", group: "wardle.example.com", version: "v1alpha1", resource: "flunders", namespace: "default" },
  });
  await authorize(eve, { type: "Path", verb: "get", path: "/metrics" });
  assert.deepEqual(Object(main.asked[2]).spec.nonResourceAttributes, { path: "/metrics", verb: "get" });
});

test("[DLG5] admins, and those who ask for health, do not wait for the main server", async () => {
  const authorize = bySubjectAccessReview(() => assert.fail("was asked"), clock);
  assert.ok((await authorize({ username: "root", groups: ["system:masters"] }, listFlunders)).allowed);
  assert.ok((await authorize({ username: "eve", groups: [] }, { type: "Path", verb: "get", path: "/healthz" })).allowed);
});

test("[DLG6] what the main server refuses to say, nobody makes up, and it is asked again", async () => {
  const refusal = { kind: "Status", status: "Failure", reason: "Forbidden", message: "no reviews for you", code: 403 };
  const main = mainServer(() => refusal, 403);
  const authorize = bySubjectAccessReview(main.transport, clock);
  const attempt = async (): Promise<void> => void (await authorize({ username: "eve", groups: [] }, listFlunders));
  await assert.rejects(attempt, /no reviews for you/);
  await assert.rejects(attempt, /no reviews for you/);
  assert.equal(main.asked.length, 2);
});

test("[DLG7] how clients are known is read from the main server", async () => {
  const data = { "client-ca-file": "A", "requestheader-client-ca-file": "B", "requestheader-allowed-names": '["p"]' };
  const { clientCa, requestHeaders } = await readAuthenticationConfig(mainServer(() => ({ data }), 200).transport);
  assert.deepEqual([clientCa, requestHeaders?.clientCa, requestHeaders?.allowedNames, requestHeaders?.groupHeaders], ["A", "B", ["p"], []]);
  assert.deepEqual(await readAuthenticationConfig(mainServer(() => ({}), 200).transport), {
    clientCa: undefined,
    requestHeaders: undefined,
  });
});
