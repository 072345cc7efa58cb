import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Pod as PodKind } from "@kaji/types/core/v1";
import type { Container, ContainerStatus, Pod } from "@kaji/types/core/v1";
import { startCluster } from "../start-cluster.ts";
import { podLogReader, readPodLog } from "./pod-log.ts";
import { SimulatedRuntime } from "./simulated-runtime.ts";

const clock = new ManualClock();
const runtime = new SimulatedRuntime(clock);
runtime.pods.match("app=web").logs(["one", "two", "three"]);

const running: Partial<ContainerStatus> = { state: { running: { startedAt: "2026-01-01T00:00:00Z" } } };

function pod(containers: readonly Container[], status: Partial<ContainerStatus> = running, labels = { app: "web" }): Pod {
  const containerStatuses = containers.map(({ name }) => ({ name, ready: true, restartCount: 0, image: "", imageID: "", ...status }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", labels },
    spec: { nodeName: "one", containers },
    status: { containerStatuses },
  };
}

test("the lines of a log are those that a test or the command says, the last so many of them and so many bytes", () => {
  const web = pod([{ name: "main" }]);
  assert.equal(readPodLog(web, runtime, clock.now()), "one\ntwo\nthree\n");
  assert.equal(readPodLog(web, runtime, clock.now(), { tailLines: 1 }), "three\n");
  assert.equal(readPodLog(web, runtime, clock.now(), { limitBytes: 5 }), "one\nt");
  assert.equal(readPodLog(web, runtime, clock.now(), { tailLines: 1, timestamps: true }), "2026-01-01T00:00:00.000000000Z three\n");
  const speaking = pod([{ name: "main", command: ["sh", "-c", "echo hello; echo 'a; b'; sleep 5"] }], running, { app: "job" });
  assert.equal(readPodLog(speaking, runtime, clock.now()), "hello\na; b\n");
});

test("a log that there is not is refused in the words of the server", () => {
  const refused = (of: Pod, message: string, options = {}): void =>
    assert.throws(() => readPodLog(of, runtime, clock.now(), options), {
      reason: "BadRequest",
      message: new RegExp(message.replaceAll(/[[\]]/g, "\\$&")),
    });
  refused(pod([{ name: "a" }, { name: "b" }]), "a container name must be specified for pod web, choose one of: [a b]");
  refused(pod([{ name: "a" }]), "container b is not valid for pod web", { container: "b" });
  refused(
    pod([{ name: "a" }], { state: { waiting: { reason: "ContainerCreating" } } }),
    'container "a" in pod "web" is waiting to start: ContainerCreating',
  );
  refused(pod([{ name: "a" }]), 'previous terminated container "a" in pod "web" not found', { previous: true });
});

test("a pod that is on no node has an empty log", () => {
  const { spec: _spec, ...rest } = pod([{ name: "main" }]);
  assert.equal(readPodLog({ ...rest, spec: { containers: [{ name: "main" }] } }, runtime, clock.now()), "");
});

test("a log that is followed goes on until its container ends, and has no more than one life of it", async () => {
  const time = new ManualClock();
  await using cluster = await startCluster({ clock: time, random: seededRandom(1), controllers: ["node-lifecycle-controller"] });
  const script = cluster.pods.match({}).logs(["one", "two"]);
  await cluster.client.create(PodKind, {
    metadata: { namespace: "default", name: "web" },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  });
  await cluster.settled();
  const path = "/api/v1/namespaces/default/pods/web/log?follow=true&tailLines=1";
  const { status, body } = await cluster.server.transport()({ method: "GET", path, headers: {} });
  assert.equal(status, 200);
  const pieces: string[] = [];
  const reading = (async () => {
    for await (const piece of body) pieces.push(Buffer.from(piece).toString("utf8"));
  })();
  await cluster.settled();
  assert.deepEqual(pieces, ["two\n"]);
  script.logs(["one", "two", "three"]);
  await cluster.settled();
  script.logs(["one", "two", "three", "four"]).exit(1);
  await reading;
  assert.equal(pieces.join(""), "two\nthree\nfour\n");
  await cluster.settled();
  await time.advance(30_000);
  await cluster.settled();
  const previous = await cluster.server.transport()({ method: "GET", path: path.replace("follow", "previous"), headers: {} });
  assert.equal(previous.status, 200, "the life before can be read");
});

test("what is written before a log is followed further is told, and nothing twice of one whose beginning is dropped", async () => {
  await using cluster = await startCluster({ controllers: ["node-lifecycle-controller"] });
  const metadata = { namespace: "default", name: "web" };
  await cluster.client.create(PodKind, { metadata, spec: { containers: [{ name: "main", image: "nginx" }] } });
  await cluster.settled();
  const log = { lines: ["one"], dropped: 0 };
  const changed = new Set<() => void>();
  const forgetful = Object.assign(new SimulatedRuntime(clock), {
    logs: () => log,
    onOutput: (listener: () => void) => {
      changed.add(listener);
      return { [Symbol.dispose]: () => void changed.delete(listener) };
    },
  });
  const pod = await cluster.client.get(PodKind, metadata);
  const { signal } = new AbortController();
  const followed = podLogReader(forgetful, cluster.server.registry.storage)({ ...pod }, { follow: true }, { nowMs: 0, signal });
  assert.ok(typeof followed !== "string");
  const pieces = followed[Symbol.asyncIterator]();
  const next = async (): Promise<string> => Buffer.from((await pieces.next()).value ?? "").toString();
  assert.equal(await next(), "one\n");
  log.lines = ["one", "two"];
  assert.equal(await next(), "two\n");
  const later = next();
  Object.assign(log, { lines: ["two", "three"], dropped: 1 });
  for (const listener of changed) listener();
  assert.equal(await later, "three\n");
  await pieces.return?.();
  assert.equal(changed.size, 0);
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});
