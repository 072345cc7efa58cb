import { createMemoryStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { createApiServer, startScheduler } from "@kaji/cluster";
import { systemClock, systemRandom } from "@kaji/core";
import { Informers } from "@kaji/informer";
import type { Log } from "@kaji/runtime";
import { Node } from "@kaji/types/core/v1";
import { schedulingContract } from "./scheduling-contract.ts";

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silent };

schedulingContract("kaji", async () => {
  await using starting = new AsyncDisposableStack();
  const [clock, random] = [systemClock, systemRandom];
  const server = starting.use(createApiServer({ storage: createMemoryStorage({ clock }), clock, random }));
  const client = new KubeClient(server.transport(), { clock, random, onWarning: () => {} });
  const informers = new Informers({ source: client.listerWatcher, clock, random });
  const end = new AbortController();
  const running = informers.run(end.signal);
  starting.defer(async () => {
    end.abort();
    await running;
  });
  starting.use(await startScheduler({ client, informers, clock, random, log: silent, recorder: { event: () => {} } }));
  await client.create(Node, { metadata: { name: "kaji-node" } });
  const all = starting.move();
  return { client, [Symbol.asyncDispose]: () => all[Symbol.asyncDispose]() };
});
