import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer } from "@kaji/cluster";
import type { ListerWatcherSource } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { ConfigMap, Namespace } from "@kaji/types/core/v1";
import { HeardObjects } from "./heard-objects.ts";

const [clock, random] = [new ManualClock(), seededRandom(1)];
const { signal } = new AbortController();

test("all is heard only when the informers have been told of each write and each deletion, and when nobody listens any more", async () => {
  await using server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random });
  const client = new KubeClient(server.transport(), { clock, random });
  await client.create(Namespace, { metadata: { name: "shop" } });
  const key = { namespace: "shop", name: "a" };
  await client.create(ConfigMap, { metadata: key });
  let pass = Promise.withResolvers<void>();
  const heard = new HeardObjects(late(client.listerWatcher, () => pass.promise));
  const informers = new Informers({ source: heard.source, clock, random });
  const lease = informers.acquire(ConfigMap);
  const end = new AbortController();
  const running = informers.run(end.signal);
  pass.resolve();
  await lease.informer.synced;
  assert.equal(await heard.areAll(signal), true);

  for (const write of [
    () => client.mergePatch(ConfigMap, key, { data: { colour: "blue" } }),
    () => client.create(ConfigMap, { metadata: { ...key, name: "b" } }),
    () => client.delete(ConfigMap, key),
  ]) {
    pass = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    using _subscription = lease.informer.subscribe((delta) => (delta.type === "Added" && delta.initial ? undefined : told.resolve()));
    await write();
    assert.equal(await heard.areAll(signal), false);
    pass.resolve();
    await told.promise;
    assert.equal(await heard.areAll(signal), true);
  }

  lease[Symbol.dispose]();
  await client.create(ConfigMap, { metadata: { ...key, name: "c" } });
  assert.equal(await heard.areAll(signal), true);
  end.abort();
  await running;
});

/** A source whose watches tell nothing until they may. */
function late(source: ListerWatcherSource, mayPass: () => Promise<void>): ListerWatcherSource {
  return (resource, scope) => {
    const listerWatcher = source(resource, scope);
    return {
      list: (parameters) => listerWatcher.list(parameters),
      async watch(parameters) {
        const body = await listerWatcher.watch(parameters);
        return (async function* () {
          for await (const chunk of body) {
            await mayPass();
            yield chunk;
          }
        })();
      },
    };
  };
}
