import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { createClient } from "@kaji/client";
import { Node, Pod } from "@kaji/types/core/v1";
import { startKube } from "@kaji-tools/kube";
import { startKajiNode } from "./kaji-node.ts";
import { podStreamsContract } from "./pod-streams-contract.ts";
import type { PodStreamsWorld } from "./pod-streams-contract.ts";
import { startPlaneWithPods } from "./pods-with-streams.ts";

const folder = mkdtempSync(join(tmpdir(), "kaji-streams-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A kube-apiserver with a node whose Pods are those of a control plane of kaji. */
async function startKubeWithNode(
  name: string,
  declaredFeatures: readonly string[],
  protocols: readonly string[],
): Promise<PodStreamsWorld> {
  await using begun = new AsyncDisposableStack();
  const { plane, specs, port, otherPort } = begun.use(await startPlaneWithPods(join(folder, name)));
  const node = begun.use(await startKajiNode(plane.server.transport()));
  const kube = begun.use(await startKube());
  const client = begun.use(await createClient({ kubeconfig: kube.kubeconfig }));
  await client.create(Node, { metadata: { name } });
  const status = {
    addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
    daemonEndpoints: { kubeletEndpoint: { Port: node.port } },
    declaredFeatures,
  };
  await client.mergePatch(Node, name, { status }, { subresource: "status" });
  for (const [pod, spec] of Object.entries(specs)) {
    await client.create(Pod, { metadata: { name: pod, namespace: "default" }, spec: { ...spec, nodeName: name } });
  }
  // Of both it is known now that the server asked as it was meant to.
  begun.defer(() => assert.deepEqual([...node.protocols].toSorted(), protocols));
  const parts = begun.move();
  return { client, port, otherPort, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

podStreamsContract("kube-apiserver with a node that speaks SPDY, as all before 1.36", () =>
  startKubeWithNode("spdy", [], ["POST SPDY/3.1"]),
);

podStreamsContract("kube-apiserver with a node that speaks WebSocket", () =>
  startKubeWithNode("websocket", ["ExtendWebSocketsToKubelet"], ["GET websocket"]),
);
