import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyBytes, bytesText } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import type { Cluster } from "../../cluster.ts";
import { startCluster } from "../../start-cluster.ts";
import { SpdyClient } from "../../testing/open-spdy.ts";
import { messagesOf } from "../../testing/open-web-socket.ts";

const path = "/api/v1/namespaces/default/pods/web/portforward";

async function clusterWithPod(): Promise<Cluster> {
  const cluster = await startCluster();
  const containers = [{ name: "web", image: "web" }];
  await cluster.client.create(Pod, { metadata: { name: "web", namespace: "default" }, spec: { containers } });
  await cluster.settled();
  return cluster;
}

test("[PF4] which ports a client of channels wants stands in the query, one by one or with commas between them", async () => {
  await using cluster = await clusterWithPod();
  const numbers = async (query: string, protocols = "v5.channel.k8s.io, v4.channel.k8s.io"): Promise<readonly string[]> => {
    const messages = await messagesOf(cluster, `${path}?${query}`, protocols);
    return messages.filter((message) => message.length === 3).toSorted();
  };
  const both = ["\u0000P\u0000", "\u0001P\u0000", "\u0002Q\u0000", "\u0003Q\u0000"];
  assert.deepEqual(await numbers("ports=80&ports=81"), both);
  assert.deepEqual(await numbers("ports=80,81"), both);
  assert.deepEqual(await numbers("ports=80,81", ""), both);
});

test("[PF4] a client that names none, or no port, is refused", async () => {
  await using cluster = await clusterWithPod();
  const refusal = async (query: string): Promise<unknown> => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-key": "a",
      "sec-websocket-protocol": "v4.channel.k8s.io",
    };
    const { status, body } = await cluster.transport()({ method: "GET", path: `${path}?${query}`, headers });
    assert.equal(status, 400);
    return JSON.parse(bytesText(await bodyBytes(body))).message;
  };
  assert.equal(await refusal(""), 'query parameter "port" is required');
  assert.equal(await refusal("ports=http"), 'cannot convert to []int32: strconv.ParseUint: parsing "http": invalid syntax');
  assert.equal(await refusal("ports=80,"), 'cannot convert to []int32: strconv.ParseUint: parsing "": invalid syntax');
  assert.equal(await refusal("ports=70000"), 'cannot convert to []int32: strconv.ParseUint: parsing "70000": value out of range');
});

test("[PF5] ports are forwarded in SPDY without a WebSocket around it, too", async () => {
  await using cluster = await clusterWithPod();
  const client = await SpdyClient.open(cluster, path, "portforward.k8s.io");
  assert.equal(client.protocol, "portforward.k8s.io");
  const headers = { port: "80", requestid: "0" };
  await client.openStream(1, "error", headers);
  await client.openStream(3, "data", headers);
  const { error = "" } = await client.heard(2);
  assert.match(error, /^error forwarding port 80 to pod: nothing listens on port 80 of web/);
});
