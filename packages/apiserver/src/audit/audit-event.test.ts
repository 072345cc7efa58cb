import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ApiServer } from "../api-server.ts";
import { byStaticToken } from "../auth/authenticator.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import { createMemoryStorage } from "../storage/memory-storage.ts";
import { widgetKind } from "../testing/widgets.ts";
import { auditEvent } from "./audit-event.ts";

const widgets = "/apis/example.com/v1/namespaces/a/widgets";
const admin = { username: "admin", groups: ["system:masters"] };
const grant = { binding: { kind: "ClusterRoleBinding", name: "all" }, role: { kind: "ClusterRole", name: "cluster-admin" } } as const;
const adminOnly: Authorizer = ({ username }) =>
  username === "admin" ? { allowed: true, reason: "by the role of admins", grant } : { allowed: false, reason: "no role" };

/** Sends requests over the network and returns their events. */
async function eventsOf(
  ...requests: readonly (Partial<Parameters<ApiServer["handle"]>[0]> & { readonly path: string })[]
): Promise<readonly JsonObject[]> {
  const events: JsonObject[] = [];
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using server = new ApiServer({
    storage: createMemoryStorage({ clock }),
    kinds: [widgetKind()],
    authenticators: [byStaticToken(new Map([["admin's", admin]]))],
    authorize: adminOnly,
    observe: (record) => {
      assert.deepEqual(record.decision?.grant, record.decision?.allowed === true ? grant : undefined);
      events.push(auditEvent(record));
    },
    clock,
    random: seededRandom(1),
  });
  for (const { headers, ...request } of requests) {
    await server.handle({ method: "GET", headers: { authorization: "Bearer admin's", ...headers }, ...request });
  }
  return events;
}

test("[AUDIT1] an event says who asked for what, how it was decided and why, and how it ended", async () => {
  const [event] = await eventsOf({
    path: `${widgets}?limit=1`,
    headers: { "user-agent": "me/1", "x-forwarded-for": "192.0.2.7, junk" },
    remoteAddress: "127.0.0.1",
  });
  const { auditID, ...rest } = event ?? {};
  assert.match(typeof auditID === "string" ? auditID : "", /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    stage: "ResponseComplete",
    requestURI: `${widgets}?limit=1`,
    verb: "list",
    user: { username: "admin", groups: ["system:masters", "system:authenticated"] },
    sourceIPs: ["192.0.2.7", "127.0.0.1"],
    userAgent: "me/1",
    objectRef: { resource: "widgets", namespace: "a", apiGroup: "example.com", apiVersion: "v1" },
    responseStatus: { metadata: {}, code: 200 },
    requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
    stageTimestamp: "2026-01-01T00:00:00.000000Z",
    annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "by the role of admins" },
  });
});

test("[AUDIT1] a watch is told of when it starts", async () => {
  const [event] = await eventsOf({ path: `${widgets}?watch=1` });
  assert.partialDeepStrictEqual(event, { stage: "ResponseStarted", verb: "watch", responseStatus: { code: 200 } });
});

test("[AUDIT1] [AUTHZ6] as whom a request was done, and by which verb, is told besides its sender", async () => {
  const [event] = await eventsOf({ path: widgets, headers: { "impersonate-user": "ann" } });
  assert.partialDeepStrictEqual(event, {
    user: { username: "admin" },
    impersonatedUser: { username: "ann", groups: ["system:authenticated"] },
    authenticationMetadata: { impersonationConstraint: "impersonate:user-info" },
    responseStatus: { status: "Failure", reason: "Forbidden", details: { group: "example.com", kind: "widgets" }, code: 403 },
    annotations: { "authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": "no role" },
  });
});

test("[AUDIT2] what was refused before it was authorized has no decision", async () => {
  const [unknown, nonsense] = await eventsOf(
    { path: widgets, headers: { authorization: "Bearer x" } },
    { path: widgets, headers: { "impersonate-group": "g" } },
  );
  assert.partialDeepStrictEqual(unknown, { stage: "ResponseStarted", user: {}, responseStatus: { reason: "Unauthorized", code: 401 } });
  assert.partialDeepStrictEqual(nonsense, { user: { username: "admin" }, responseStatus: { reason: "BadRequest", code: 400 } });
  assert.deepEqual([unknown?.["annotations"], nonsense?.["annotations"]], [undefined, undefined]);
});

test("[AUDIT3] the name of what was created is told, and nothing of what is in it", async () => {
  const body = Buffer.from(JSON.stringify({ metadata: { name: "w" }, spec: { color: "secret" } }));
  const events = await eventsOf(
    { method: "POST", path: widgets, headers: { "content-type": "application/json" }, body },
    { path: `${widgets}/w` },
    { path: "/nowhere" },
  );
  assert.partialDeepStrictEqual(events[0], { verb: "create", objectRef: { name: "w" }, responseStatus: { metadata: {}, code: 201 } });
  assert.partialDeepStrictEqual(events[2], { responseStatus: { metadata: {}, code: 404 } });
  assert.equal(events[2]?.["objectRef"], undefined);
  assert.doesNotMatch(JSON.stringify(events), /secret/);
});

test("[AUDIT4] a mistake in the server is an internal error to the client, and in the record with its stack; a refusal is not", async () => {
  const failures: (string | undefined)[] = [];
  const clock = new ManualClock(0);
  await using server = new ApiServer({
    storage: createMemoryStorage({ clock }),
    paths: {
      "/broken": () => {
        throw new TypeError("no such field");
      },
    },
    authorize: () => ({ allowed: true, reason: "" }),
    observe: ({ status, failure }) => failures.push(`${status} ${failure?.stack?.split("\n")[0]}`),
    clock,
    random: seededRandom(1),
  });
  for (const path of ["/broken", "/apis/nothing.example.com/v1/things"]) await server.handle({ method: "GET", path, headers: {} });
  assert.deepEqual(failures, ["500 TypeError: no such field", "404 undefined"]);
});
