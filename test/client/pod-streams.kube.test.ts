import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { systemRandom } from "@kaji/core";
import { Node, Pod } from "@kaji/types/core/v1";
import type { PodSpec } from "@kaji/types/core/v1";
import { freePorts, startKube } from "@kaji-tools/kube";
import { startKajiNode } from "./kaji-node.ts";
import { podStreamsContract } from "./pod-streams-contract.ts";
import type { PodStreamsWorld } from "./pod-streams-contract.ts";
import { startPlaneWithPods } from "./pods-with-streams.ts";
import { startRealNode } from "./real-node.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-streams-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A node as a kube-apiserver is to know it. */
interface KnownNode {
  /** Where its kubelet listens. */
  readonly port: number;
  readonly declaredFeatures?: readonly string[];
  readonly pods: Readonly<Record<string, PodSpec>>;
}

/** Tells a kube-apiserver of a node, and of the Pods that run there. */
async function register(client: KubeClient, { port, declaredFeatures = [], pods }: KnownNode): Promise<void> {
  await client.create(Node, { metadata: { name: "node" } });
  const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } }, declaredFeatures };
  await client.mergePatch(Node, "node", { status }, { subresource: "status" });
  for (const [name, spec] of Object.entries(pods)) {
    await client.create(Pod, { metadata: { name, namespace: "default" }, spec: { ...spec, nodeName: "node" } });
  }
}

/** A kube-apiserver with a node whose Pods are those of a control plane of kaji. WebSockets are passed on to it as they are. */
async function startWithKajiNode(): Promise<PodStreamsWorld> {
  await using begun = new AsyncDisposableStack();
  const { plane, specs, port, otherPort } = begun.use(await startPlaneWithPods(join(folder, "kaji")));
  const node = begun.use(await startKajiNode(plane.server.transport()));
  const kube = begun.use(await startKube());
  const client = begun.use(await createClient({ kubeconfig: kube.kubeconfig }));
  await register(client, { port: node.port, declaredFeatures: ["ExtendWebSocketsToKubelet"], pods: specs });
  const parts = begun.move();
  return { client, port, otherPort, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** A kube-apiserver with a node that has the code of real ones, in SPDY, to which the server translates. */
async function startWithRealNode(): Promise<PodStreamsWorld> {
  await using begun = new AsyncDisposableStack();
  const node = begun.use(await startRealNode(join(folder, "real")));
  const web = createServer((request, response) => request.pipe(response)).listen(0, "127.0.0.1");
  await once(web, "listening");
  begun.defer(() => {
    web.close();
    web.closeAllConnections();
  });
  const kube = begun.use(await startKube());
  const client = begun.use(await createClient({ kubeconfig: kube.kubeconfig }));
  const pod = (name: string): PodSpec => ({ containers: [{ name, image: name, stdin: true }] });
  await register(client, { port: node.port, pods: { web: pod("web"), cat: pod("cat") } });
  const [otherPort = assert.fail()] = await freePorts(1, systemRandom);
  const parts = begun.move();
  return { client, port: (web.address() as AddressInfo).port, otherPort, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

podStreamsContract("kube-apiserver, and a node of kaji", startWithKajiNode);
podStreamsContract("kube-apiserver, and a node with the code of real ones", startWithRealNode);
