import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import { resource, systemClock } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Namespace } from "@kaji/types/core/v1";

const names = Array.from({ length: 10 }, (_, index) => `shirt-${index}`);

/** The kind of the test. */
const Shirt = resource<DynamicObject>({ group: "example.com", version: "v1", kind: "Shirt", plural: "shirts", scope: "Namespaced" });

test("a test starts a server, defines a kind, watches ten objects of it and stops, and nothing is left", async () => {
  const before = openHandles();
  {
    await using server = startServer();
    const client = new KubeClient(server.transport());
    await defineShirts(client);
    const watching = watchedNames(client, names.length);
    for (const name of names) await createShirt(client, name, "red");
    assert.deepEqual(await watching, names);
  }
  assert.deepEqual(openedSince(before), []);
});

test("a server that stops ends the watches that are open", async () => {
  const before = openHandles();
  const server = startServer();
  const client = new KubeClient(server.transport());
  await defineShirts(client);
  await createShirt(client, "a", "red");
  const watching = watchedNames(client, Infinity);
  await untilWatched();
  await server[Symbol.asyncDispose]();
  assert.deepEqual(await watching, ["a"]);
  assert.deepEqual(openedSince(before), []);
});

test("ten servers in one process know nothing of each other", async () => {
  await using servers = new AsyncDisposableStack();
  const clients = names.map(() => new KubeClient(servers.use(startServer()).transport()));
  await Promise.all(
    clients.map(async (client, index) => {
      await defineShirts(client);
      const watching = watchedNames(client, index + 1);
      for (const name of names.slice(0, index + 1)) await createShirt(client, name, index % 2 === 0 ? "red" : "blue");
      assert.deepEqual(await watching, names.slice(0, index + 1));
    }),
  );
  for (const [index, client] of clients.entries()) {
    const { items, metadata } = await client.list(Shirt, { namespace: "default" });
    assert.equal(items.length, index + 1);
    const colors = new Set(items.map(({ spec }) => Object(spec).color));
    assert.deepEqual([...colors], [index % 2 === 0 ? "red" : "blue"]);
    // Each counts its own revisions: two of the definition, and one for each object.
    assert.equal(Number(metadata.resourceVersion), Number((await clients[0]?.list(Shirt))?.metadata.resourceVersion) + index);
  }
});

test("one of ten servers can stop while the others go on", async () => {
  await using others = new AsyncDisposableStack();
  const stopping = startServer();
  const clients = names.slice(1).map(() => new KubeClient(others.use(startServer()).transport()));
  const gone = new KubeClient(stopping.transport());
  await Promise.all([gone, ...clients].map(defineShirts));
  const watching = clients.map((client) => watchedNames(client, 1));
  await stopping[Symbol.asyncDispose]();
  await Promise.all(clients.map((client) => createShirt(client, "late", "blue")));
  assert.deepEqual(
    await Promise.all(watching),
    clients.map(() => ["late"]),
  );
  await assert.rejects(createShirt(gone, "too-late", "red"));
});

function startServer(): ReturnType<typeof createApiServer> {
  return createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
}

async function defineShirts(client: KubeClient): Promise<void> {
  await client.create(Namespace, { metadata: { name: "default" } });
  const properties = { spec: { type: "object", properties: { color: { type: "string", enum: ["red", "blue"] } } } } as const;
  await client.create(CustomResourceDefinition, {
    metadata: { name: "shirts.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "shirts", kind: "Shirt" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object", properties } } }],
    },
  });
}

async function createShirt(client: KubeClient, name: string, color: string): Promise<void> {
  await client.create(Shirt, { metadata: { name, namespace: "default" }, spec: { color } });
}

/** The names of the objects as they are added, until there are so many or the watch ends. */
async function watchedNames(client: KubeClient, count: number): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const event of client.watch(Shirt, { namespace: "default" })) {
    if (event.type === "ADDED") seen.push(event.object.metadata.name);
    if (seen.length >= count) break;
  }
  return seen;
}

/** A watch is open, and has what is there, once all that can be done at once is done. */
async function untilWatched(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** What would keep the process from ending, and did not before. What others of this process had opened may close meanwhile. */
function openedSince(before: readonly string[]): readonly string[] {
  const known = [...before];
  return openHandles().filter((name) => {
    const at = known.indexOf(name);
    if (at >= 0) known.splice(at, 1);
    return at < 0;
  });
}

/** What would keep the process from ending. */
function openHandles(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => name !== "Immediate" && name !== "CloseReq");
}
