import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, defineOperator } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { Node } from "@kaji/types/core/v1";
import { ManualClock, eventually } from "@kaji/core/testing";
import { CommandError } from "../command.ts";
import { emptyProject } from "../testing/test-project.ts";
import { embeddedTarget, greetingOf, remoteTarget } from "./dev-target.ts";

test("a cluster of our own has as many nodes as it is told to have", async () => {
  using project = emptyProject();
  const options = { data: join(project.folder, ".kaji"), port: 0, nodes: 3, fresh: false };
  await using target = await embeddedTarget(options, { out: () => {}, err: () => {} });
  const names = await eventually("all nodes are there", async () => {
    const { items } = await target.client.list(Node);
    return items.length < 3 ? undefined : items.map(({ metadata }) => metadata.name);
  });
  assert.equal(names.length, 3);
});

test("whoever develops is told a first step that works: of samples only where there are some", () => {
  const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({}) });
  const target = { name: "https://127.0.0.1:6443", kubeconfig: ".kaji/kubeconfig" };
  const bars = defineOperator({ name: "bars", controllers: [defineController(Bar, { reconcile() {} })] });
  assert.match(greetingOf(target, bars), /\n {2}npx kaji manifests --out deploy && kubectl apply -f deploy\/samples\n/);
  const reloader = defineOperator({ name: "reloader", controllers: [defineController(Deployment, { reconcile() {} })] });
  assert.match(greetingOf({ ...target, kubeconfig: "/my data/kubeconfig" }, bars), /\n {2}export KUBECONFIG='\/my data\/kubeconfig'\n/);
  assert.match(greetingOf(target, bars), /\n {2}export KUBECONFIG=\$PWD\/\.kaji\/kubeconfig\n/);
  assert.match(greetingOf(target, reloader), /\n {2}kubectl get deployments --all-namespaces\n/);
});

test("a cluster that does not answer is waited for with a word, and not after Ctrl+C", async () => {
  using project = emptyProject();
  const called = Promise.withResolvers<void>();
  await using server = createServer((socket) => {
    socket.on("error", () => {}).resume();
    called.resolve();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const cluster = `http://127.0.0.1:${address.port}`;
  const kubeconfig = join(project.folder, "kubeconfig");
  const named = (key: string, value: object): object => [{ name: "far", [key]: value }];
  project.write(
    "kubeconfig",
    JSON.stringify({
      clusters: named("cluster", { server: cluster }),
      users: named("user", {}),
      contexts: named("context", { cluster: "far", user: "far" }),
    }),
  );
  const said: string[] = [];
  const [clock, stop] = [new ManualClock(), new AbortController()];
  const terminal = { out: () => {}, err: (text: string) => said.push(text) };
  const waiting = remoteTarget({ context: "far", kubeconfig }, { terminal, clock, signal: stop.signal });
  await called.promise;
  await clock.advance(1000);
  stop.abort(new CommandError("stopped"));
  await assert.rejects(waiting, /^CommandError: stopped$/);
  assert.deepEqual(said, [`waiting for far (${cluster}) to answer\n`]);
});
