import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { startCluster } from "@kaji/cluster";
import type { Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ConfigMap } from "@kaji/types/core/v1";
import { ClusterModel } from "../model/cluster-model.ts";
import { defaultLimits } from "../model/limits.ts";
import { ClusterWatch } from "./cluster-watch.ts";

/** The way to a cluster, of which some or all can be cut off: what is under way breaks then. */
class Line {
  isCut: (path: string) => boolean = () => false;
  readonly #cluster: Transport;
  #open = new AbortController();

  constructor(cluster: Transport) {
    this.#cluster = cluster;
  }

  readonly transport: Transport = (request) => {
    if (this.isCut(request.path)) return Promise.reject(new Error("no route to host"));
    const signals = [this.#open.signal, ...(request.signal === undefined ? [] : [request.signal])];
    return this.#cluster({ ...request, signal: AbortSignal.any(signals) });
  };

  cut(isCut: (path: string) => boolean): void {
    this.isCut = isCut;
    this.#open.abort(new Error("reset"));
    this.#open = new AbortController();
  }
}

/** A cluster that is watched. */
interface Watched extends AsyncDisposable {
  readonly model: ClusterModel;
  readonly clock: ManualClock;
  /** Time passes until something holds. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

async function watched(line: Line): Promise<Watched> {
  const clock = new ManualClock();
  const model = new ClusterModel(defaultLimits, clock);
  const client = new KubeClient(line.transport, { clock, retries: 0 });
  const end = new AbortController();
  const over = new ClusterWatch({ client, cluster: "test", model, clock, random: seededRandom(1) }).run(end.signal);
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await clock.advance(100);
  };
  await until(() => model.isDiscovered && model.knows("configmaps") && model.knows("storageclasses.storage.k8s.io"));
  return {
    model,
    clock,
    until,
    async [Symbol.asyncDispose]() {
      end.abort();
      await over;
    },
  };
}

test("[DB14] a cluster that goes away is said to be away, once and not of every kind, and is seen again as soon as it is back", async () => {
  await using cluster = await startCluster({ nodes: 0, scheduler: false, controllers: [] });
  const line = new Line(cluster.transport());
  await using watch = await watched(line);
  const { model, clock, until } = watch;
  const before = model.summaries();
  line.cut(() => true);
  await until(() => model.problem !== undefined);
  assert.match(model.problem ?? "", /no route to host/);
  for (let minute = 0; minute < 5; minute++) await clock.advance(60_000);
  assert.deepEqual(model.summaries(), before);
  await cluster.client.create(ConfigMap, { metadata: { name: "new", namespace: "default" } });
  line.cut(() => false);
  await until(() => model.problem === undefined);
  const backAt = clock.now();
  await until(() => model.kind("configmaps")?.entries.has("default/new") === true);
  assert.ok(clock.now() - backAt < 1000, `${clock.now() - backAt} ms later`);
});

test("[DB14] a kind of which no answer comes, while the cluster answers, is said to be one", async () => {
  await using cluster = await startCluster({ nodes: 0, scheduler: false, controllers: [] });
  const line = new Line(cluster.transport());
  await using watch = await watched(line);
  const { model, until } = watch;
  line.cut((path) => path.includes("/configmaps"));
  await until(() => model.kind("configmaps")?.problem !== undefined);
  assert.match(model.kind("configmaps")?.problem ?? "", /no route to host/);
  assert.equal(model.problem, undefined);
  assert.deepEqual(
    model.summaries().flatMap(({ id, problem }) => (problem === undefined ? [] : [id])),
    ["configmaps"],
  );
  line.cut(() => false);
  await until(() => model.kind("configmaps")?.problem === undefined);
});
