import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyBytes, bytesText } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import type { RemoteConversion } from "../kind.ts";
import { createMemoryStorage } from "../storage/memory-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { startTestServer, widgetKind, widgets } from "../testing/widgets.ts";
import type { TestServer } from "../testing/widgets.ts";

interface Line {
  readonly type: string;
  readonly object: {
    readonly kind?: string;
    readonly metadata: { readonly name?: string; readonly resourceVersion: string; readonly annotations?: object };
    readonly spec?: object;
  };
}

/** A watcher whose events so far can be asked for. */
async function startWatch(
  api: TestServer,
  query: string,
  accept = "application/json",
): Promise<{ readonly lines: Line[]; readonly ended: Promise<void>; stop(): void }> {
  const stop = new AbortController();
  const response = await api.server.transport()({
    method: "GET",
    path: `${widgets}?watch=true&${query}`,
    headers: { accept },
    signal: stop.signal,
  });
  const lines: Line[] = [];
  const read = async (): Promise<void> => {
    let rest = "";
    for await (const piece of response.body) {
      const parts = (rest + new TextDecoder().decode(piece)).split("\n");
      rest = parts.pop() ?? "";
      lines.push(...parts.map((part) => JSON.parse(part)));
    }
  };
  return { lines, ended: read(), stop: () => stop.abort() };
}

const brief = (lines: readonly Line[]): readonly string[] =>
  lines.map(({ type, object }) => `${type} ${object.metadata?.name ?? ""}`.trim());
const create = (api: TestServer, name: string, color = "red") => api.call("POST", widgets, { metadata: { name }, spec: { color } });
const settle = (api: TestServer) => api.clock.advance(0);

test("[WATCH1] from a revision on, every change comes once and in order", async () => {
  await using api = startTestServer();
  const { json } = await create(api, "before");
  const watch = await startWatch(api, `resourceVersion=${Object(json["metadata"]).resourceVersion}`);
  await create(api, "a");
  await api.call("PATCH", `${widgets}/a`, { spec: { size: 2 } }, { "content-type": "application/merge-patch+json" });
  await api.call("DELETE", `${widgets}/a`);
  await settle(api);
  assert.deepEqual(brief(watch.lines), ["ADDED a", "MODIFIED a", "DELETED a"]);
  const revisions = watch.lines.map(({ object }) => Number(object.metadata.resourceVersion));
  assert.deepEqual(
    revisions,
    revisions.toSorted((left, right) => left - right),
  );
  assert.equal(new Set(revisions).size, 3);
});

test("[WATCH2] without a revision it begins with what is there", async () => {
  await using api = startTestServer();
  await create(api, "a");
  const watch = await startWatch(api, "");
  await create(api, "b");
  await settle(api);
  assert.deepEqual(brief(watch.lines), ["ADDED a", "ADDED b"]);
});

test("[WATCH3] a streaming list ends with a bookmark that says so, and goes on as a watch", async () => {
  await using api = startTestServer();
  await create(api, "a");
  const watch = await startWatch(api, "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");
  await create(api, "b");
  await settle(api);
  assert.deepEqual(brief(watch.lines), ["ADDED a", "BOOKMARK", "ADDED b"]);
  assert.deepEqual(watch.lines[1]?.object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
});

test("[WATCH4] an object that enters the selection is added, one that leaves is deleted as it was", async () => {
  await using api = startTestServer();
  const watch = await startWatch(api, "fieldSelector=spec.color%3Dred");
  await create(api, "a", "blue");
  const paint = (color: string) =>
    api.call("PATCH", `${widgets}/a`, { spec: { color } }, { "content-type": "application/merge-patch+json" });
  await paint("red");
  await paint("green");
  await settle(api);
  assert.deepEqual(brief(watch.lines), ["ADDED a", "DELETED a"]);
  assert.deepEqual(watch.lines[1]?.object.spec, { color: "red" });
  assert.equal(Number(watch.lines[1]?.object.metadata.resourceVersion), api.server.registry.storage.currentRevision);
});

test("[WATCH12] a path that names an object takes no fields that do not name it, too", async () => {
  await using api = startTestServer();
  const path = `${widgets.replace("/namespaces/", "/watch/namespaces/")}/small?timeoutSeconds=1`;
  for (const fields of ["metadata.name=large", "metadata.name!=large", "metadata.namespace=default"]) {
    const { status, json } = await api.call("GET", `${path}&fieldSelector=${encodeURIComponent(fields)}`);
    assert.deepEqual([status, json["message"]], [400, "fieldSelector metadata.name doesn't match requested name"], fields);
  }
});

test("[WATCH5] a revision whose history is gone is answered with an event, after which the stream ends", async () => {
  await using api = startTestServer();
  for (const name of ["a", "b", "c"]) await create(api, name);
  const { storage } = api.server.registry;
  storage.compact(storage.currentRevision);
  const watch = await startWatch(api, "resourceVersion=1");
  await watch.ended;
  assert.partialDeepStrictEqual(watch.lines, [{ type: "ERROR", object: { code: 410, reason: "Expired" } }]);
});

test("[WATCH6] bookmarks come every minute, and the stream ends in time", async () => {
  await using api = startTestServer();
  const watch = await startWatch(api, "resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=150");
  await api.clock.advance(125_000);
  assert.deepEqual(brief(watch.lines), ["BOOKMARK", "BOOKMARK"]);
  await api.clock.advance(25_000);
  await watch.ended;
  assert.equal(watch.lines.length, 3);
});

test("[WATCH7] an event is written once for all who watch the same form", async () => {
  await using api = startTestServer();
  const open = async () => {
    const { body } = await api.server.transport()({ method: "GET", path: `${widgets}?watch=1&resourceVersion=1`, headers: {} });
    return body[Symbol.asyncIterator]();
  };
  const [left, right] = [await open(), await open()];
  await create(api, "a");
  assert.equal((await left.next()).value, (await right.next()).value);
});

test("[WATCH8] a client that goes away leaves nothing behind", async () => {
  const storage = createMemoryStorage({ clock: new ManualClock() });
  const subscriptions = countSubscriptions(storage);
  await using api = startTestServer({ storage });
  const [timers, others] = [api.clock.pending, subscriptions.open];
  const watch = await startWatch(api, "resourceVersion=1&allowWatchBookmarks=true");
  assert.ok(api.clock.pending > timers);
  assert.ok(subscriptions.open > others);
  watch.stop();
  await watch.ended;
  assert.deepEqual([api.clock.pending, subscriptions.open], [timers, others]);
});

test("[WATCH8] a watch that lasts keeps nothing of the bookmarks it sent", async () => {
  let disposed = 0;
  class CountingClock extends ManualClock {
    override timer(delayMs: number, callback: () => void): Disposable {
      const timer = super.timer(delayMs, callback);
      return { [Symbol.dispose]: () => (disposed++, timer[Symbol.dispose]()) };
    }
  }
  const clock = new CountingClock();
  await using api = startTestServer({ clock });
  const watch = await startWatch(api, "resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=3600");
  await clock.advance(3600_000);
  await watch.ended;
  assert.equal(watch.lines.length, 60);
  assert.ok(disposed < 10, `${disposed} timers were disposed of at the end`);
});

test("[WATCH9] the server's end ends every stream quietly", async () => {
  const api = startTestServer();
  const watch = await startWatch(api, "resourceVersion=1");
  await api[Symbol.asyncDispose]();
  await watch.ended;
  assert.deepEqual(watch.lines, []);
});

test("[WATCH10] a watch as a table has the heads in its first event alone", async () => {
  await using api = startTestServer();
  const watch = await startWatch(api, "", "application/json;as=Table;v=v1;g=meta.k8s.io");
  await create(api, "a");
  await create(api, "b");
  await settle(api);
  const heads = watch.lines.map(({ object }) => Object(object).columnDefinitions?.length);
  assert.deepEqual(heads, [1, undefined]);
});

test("[WATCH10] that is so where changes come before the objects that were there are read, too", async () => {
  await using api = startTestServer();
  for (const name of ["a", "b"]) await create(api, name);
  const { body } = await api.server.transport()({
    method: "GET",
    path: `${widgets}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  });
  await create(api, "c");
  await api.clock.advance(1000);
  const lines = bytesText(await bodyBytes(body))
    .trim()
    .split("\n");
  const heads = lines.map((line) => JSON.parse(line).object.columnDefinitions?.length);
  assert.deepEqual(heads, [1, undefined, undefined]);
});

/** Counts the subscriptions that are made from now on and have not been disposed of. */
function countSubscriptions(storage: Storage): { readonly open: number } {
  const subscribe = storage.subscribe.bind(storage);
  let open = 0;
  storage.subscribe = (...parameters) => {
    const subscription = subscribe(...parameters);
    open++;
    return { [Symbol.dispose]: () => (open--, subscription[Symbol.dispose]()) };
  };
  return {
    get open() {
      return open;
    },
  };
}

/** A server of widgets that are kept in another version, from which something else converts them. */
function convertedBy(fromStorage: (stored: readonly DynamicObject[]) => Promise<readonly DynamicObject[]>): TestServer {
  const named = (object: DynamicObject, version: string): DynamicObject => ({ ...object, apiVersion: `example.com/${version}` });
  const remoteConversion: RemoteConversion = {
    fromStorage: async (stored, version) => (await fromStorage(stored)).map((object) => named(object, version)),
    toStorage: async (object) => named(object, "v2"),
    convert: async (object, version) => named(object, version),
  };
  return startTestServer({ kinds: [{ ...widgetKind(), storageVersion: "example.com/v2", remoteConversion }] });
}

test("[WATCH13] no bookmark comes before the objects that are still being converted", async () => {
  const converted = Promise.withResolvers<void>();
  let isSlow = false;
  await using api = convertedBy(async (stored) => {
    if (isSlow) await converted.promise;
    return stored;
  });
  await create(api, "a");
  isSlow = true;
  const query = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=90";
  const starting = startWatch(api, query);
  await api.clock.advance(61_000);
  converted.resolve();
  const watch = await starting;
  await settle(api);
  assert.deepEqual(brief(watch.lines), ["ADDED a", "BOOKMARK"]);
  assert.ok(watch.lines[1]?.object.metadata.annotations, "the bookmark is the one that ends the list");
  await api.clock.advance(27_000);
  assert.deepEqual(brief(watch.lines), ["ADDED a", "BOOKMARK", "BOOKMARK"]);
  watch.stop();
});

test("[WATCH14] what goes wrong with an event in a way that nobody has foreseen ends the watch, and nothing else", async () => {
  let isBroken = false;
  await using api = convertedBy(async (stored) => {
    if (isBroken) throw new TypeError("that was not foreseen");
    return stored;
  });
  const { json } = await create(api, "before");
  const before = api.clock.pending;
  const watch = await startWatch(api, `resourceVersion=${Object(json["metadata"]).resourceVersion}`);
  isBroken = true;
  await create(api, "a");
  await settle(api);
  await watch.ended;
  assert.deepEqual(
    watch.lines.map(({ type, object }) => [type, Object(object).code, Object(object).message]),
    [["ERROR", 500, "Internal error occurred: that was not foreseen"]],
  );
  assert.equal(api.clock.pending, before);
});
