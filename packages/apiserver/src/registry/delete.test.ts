import assert from "node:assert/strict";
import { test } from "node:test";
import { badRequest } from "@kaji/core";
import type { AdmissionPlugin } from "../admission.ts";
import { startTestServer, widgetKind, widgetStrategy, widgets } from "../testing/widgets.ts";

/** Widgets that are given half a minute to go. */
const graceful = widgetKind({ strategy: { ...widgetStrategy, gracePeriod: (_object, seconds) => seconds ?? 30 } });
const merge = { "content-type": "application/merge-patch+json" };

test("[DEL1] an object that nothing holds is gone at once, and the answer says which it was", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "a" } });
  const { status, json } = await api.call("DELETE", `${widgets}/a`);
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(json, { kind: "Status", status: "Success", details: { name: "a", group: "example.com", kind: "widgets" } });
  assert.equal((await api.call("GET", `${widgets}/a`)).status, 404);
});

test("[DEL2] a finalizer holds an object until it is removed, and none may be added meanwhile", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "a", finalizers: ["example.com/hold"] } });
  const held = await api.call("DELETE", `${widgets}/a`);
  assert.partialDeepStrictEqual(held.json["metadata"], {
    deletionTimestamp: "2026-01-01T00:00:00Z",
    deletionGracePeriodSeconds: 0,
    generation: 2,
  });
  const added = await api.call("PATCH", `${widgets}/a`, { metadata: { finalizers: ["example.com/hold", "example.com/more"] } }, merge);
  assert.equal(added.status, 422);
  assert.match(
    added.message,
    /no new finalizers can be added if the object is being deleted, found new finalizers \[\]string\{"example.com\/more"\}/,
  );
  const finalizers = ["b.io/x", "a.io/x", "b.io/x", "example.com/hold"];
  const repeated = await api.call("PATCH", `${widgets}/a`, { metadata: { finalizers } }, merge);
  assert.match(repeated.message, /found new finalizers \[\]string\{"a\.io\/x", "b\.io\/x"\}/);
  assert.equal((await api.call("PATCH", `${widgets}/a`, { metadata: { finalizers: null } }, merge)).status, 200);
  assert.equal((await api.call("GET", `${widgets}/a`)).status, 404);
});

test("[DEL3] a deletion meant for another object is refused", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "a" } });
  for (const preconditions of [{ uid: "other" }, { resourceVersion: "1" }]) {
    assert.equal((await api.call("DELETE", `${widgets}/a`, { preconditions })).status, 409);
  }
  assert.equal((await api.call("GET", `${widgets}/a`)).status, 200);
});

test("[DEL4] the propagation policy becomes a finalizer for the garbage collector", async () => {
  await using api = startTestServer();
  const finalizersAfter = async (policy: string): Promise<unknown> => {
    await api.call("POST", widgets, { metadata: { name: policy.toLowerCase() } });
    const { json } = await api.call("DELETE", `${widgets}/${policy.toLowerCase()}?propagationPolicy=${policy}`);
    return Object(json["metadata"]).finalizers;
  };
  assert.deepEqual(await finalizersAfter("Foreground"), ["foregroundDeletion"]);
  assert.deepEqual(await finalizersAfter("Orphan"), ["orphan"]);
  assert.equal(await finalizersAfter("Background"), undefined);
});

test("[DEL4] finalizers of which a deletion brings none and drops none stay in their order", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "a", finalizers: ["orphan", "example.com/hold"] } });
  const { json } = await api.call("DELETE", `${widgets}/a?propagationPolicy=Orphan`);
  assert.deepEqual(Object(json["metadata"]).finalizers, ["orphan", "example.com/hold"]);
  const changed = await api.call("DELETE", `${widgets}/a?propagationPolicy=Foreground`);
  assert.deepEqual(Object(changed.json["metadata"]).finalizers, ["example.com/hold", "foregroundDeletion"]);
});

test("[DEL4] who asks in the old way not to orphan dependents is told that the object is not gone yet", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "a", finalizers: ["example.com/hold"] } });
  await api.call("POST", widgets, { metadata: { name: "b" } });
  assert.equal((await api.call("DELETE", `${widgets}/a?orphanDependents=false`)).status, 202);
  assert.equal((await api.call("DELETE", `${widgets}/a`, { orphanDependents: false })).status, 202);
  assert.equal((await api.call("DELETE", `${widgets}/a?propagationPolicy=Background`)).status, 200);
  assert.equal((await api.call("DELETE", `${widgets}/b?orphanDependents=false`)).status, 200);
});

test("[DEL5] a graceful deletion sets the time to go, which may only become shorter", async () => {
  await using api = startTestServer({ kinds: [graceful] });
  await api.call("POST", widgets, { metadata: { name: "a" } });
  const graceAfter = async (query: string): Promise<unknown> => {
    const { json } = await api.call("DELETE", `${widgets}/a${query}`);
    const { deletionTimestamp, deletionGracePeriodSeconds } = Object(json["metadata"]);
    return [deletionTimestamp, deletionGracePeriodSeconds];
  };
  assert.deepEqual(await graceAfter(""), ["2026-01-01T00:00:30Z", 30]);
  assert.deepEqual(await graceAfter("?gracePeriodSeconds=60"), ["2026-01-01T00:00:30Z", 30]);
  assert.deepEqual(await graceAfter("?gracePeriodSeconds=10"), ["2026-01-01T00:00:10Z", 10]);
  await api.call("DELETE", `${widgets}/a?gracePeriodSeconds=0`);
  assert.equal((await api.call("GET", `${widgets}/a`)).status, 404);
});

test("[DEL5] an object that is left no time can be seen marked before it is gone", async () => {
  await using api = startTestServer({ kinds: [graceful], markedForMs: 1 });
  await api.call("POST", widgets, { metadata: { name: "a" } });
  const deletion = api.call("DELETE", `${widgets}/a?gracePeriodSeconds=0`);
  await api.clock.advance(0);
  const { json } = await api.call("GET", `${widgets}/a`);
  assert.partialDeepStrictEqual(json["metadata"], { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 });
  await api.clock.advance(1);
  assert.equal((await deletion).status, 200);
  assert.equal((await api.call("GET", `${widgets}/a`)).status, 404);
});

test("[DEL5] an object that is marked can be removed by another request, and the next of its name is not", async () => {
  await using api = startTestServer({ kinds: [graceful], markedForMs: 1 });
  await api.call("POST", widgets, { metadata: { name: "a" } });
  const first = api.call("DELETE", `${widgets}/a?gracePeriodSeconds=0`);
  await api.clock.advance(0);
  assert.equal((await api.call("DELETE", `${widgets}/a?gracePeriodSeconds=0`)).status, 200);
  await api.call("POST", widgets, { metadata: { name: "a" } });
  await api.clock.advance(1);
  assert.equal((await first).status, 200);
  assert.equal((await api.call("GET", `${widgets}/a`)).status, 200);
});

test("[DEL6] not all of a large collection is deleted at the same time, and what is refused ends it", async () => {
  let [underWay, most, asked] = [0, 0, 0];
  const slow: AdmissionPlugin = {
    name: "slow",
    async validate({ operation, oldObject }) {
      if (operation !== "DELETE") return;
      asked++;
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      if (oldObject?.metadata.name === "w100") throw badRequest("not this one");
    },
  };
  await using api = startTestServer({ admission: [slow] });
  for (let count = 100; count < 400; count++) await api.call("POST", widgets, { metadata: { name: `w${count}` } });
  const { status, message } = await api.call("DELETE", widgets);
  assert.deepEqual([status, message, most], [400, "not this one", 64]);
  assert.ok(asked < 300, `${asked} were deleted`);
});

test("[DEL6] deleting a collection deletes what is selected and answers with it", async () => {
  await using api = startTestServer();
  for (const name of ["a", "b", "c"]) await api.call("POST", widgets, { metadata: { name, labels: { keep: String(name === "b") } } });
  const { json } = await api.call("DELETE", `${widgets}?labelSelector=keep%3Dfalse`);
  assert.equal(Object(json["items"]).length, 2);
  const left = await api.call("GET", widgets);
  assert.deepEqual(
    Object(left.json["items"]).map((item: { metadata: { name: string } }) => item.metadata.name),
    ["b"],
  );
});
