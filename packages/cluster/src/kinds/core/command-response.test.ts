import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyBytes, bytesText } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import type { Cluster } from "../../cluster.ts";
import { startCluster } from "../../start-cluster.ts";
import { SpdyClient } from "../../testing/open-spdy.ts";

const everyProtocol = "v5.channel.k8s.io, v4.channel.k8s.io, v3.channel.k8s.io, v2.channel.k8s.io, channel.k8s.io";
const pod = "/api/v1/namespaces/default/pods/db";

/** A cluster with a Pod in which `repeat` writes what it reads and ends with 3. */
async function clusterWithPod(): Promise<Cluster> {
  const cluster = await startCluster();
  const spec = { containers: [{ name: "db", image: "postgres" }] };
  await cluster.client.create(Pod, { metadata: { name: "db", namespace: "default", labels: { app: "db" } }, spec });
  await cluster.settled();
  const pods = cluster.pods.match("app=db");
  pods.onCommand(({ words, stdin }) => (words[0] === "repeat" ? { stdout: stdin, stderr: "that was all", exitCode: 3 } : undefined));
  pods.logs(["ready"]);
  return cluster;
}

test("[CMD12] a command is served in SPDY, with a stream for each of input, output, errors and outcome", async () => {
  await using cluster = await clusterWithPod();
  const client = await SpdyClient.open(cluster, `${pod}/exec?command=repeat&stdin=true&stdout=true&stderr=true`, everyProtocol);
  assert.equal(client.protocol, "v4.channel.k8s.io");
  for (const [index, type] of ["error", "stdin", "stdout", "stderr"].entries()) await client.openStream(2 * index + 1, type);
  await client.send({ type: "Data", stream: 3, bytes: Buffer.from("hello "), isLast: false });
  await client.send({ type: "Data", stream: 3, bytes: Buffer.from("world"), isLast: true });
  const { stdin, stdout, stderr, error = assert.fail() } = await client.heard();
  assert.deepEqual({ stdin, stdout, stderr }, { stdin: "", stdout: "hello world", stderr: "that was all" });
  assert.deepEqual(JSON.parse(error).details, { causes: [{ reason: "ExitCode", message: "3" }] });
});

test("[CMD12] it begins when the client has opened all streams, among them that for the size of a terminal", async () => {
  await using cluster = await clusterWithPod();
  const query = "command=echo&command=hello&stdout=true&stderr=true&tty=true";
  for (const [protocol, types] of [
    ["v3.channel.k8s.io", ["stdout", "error", "resize"]],
    ["v2.channel.k8s.io", ["stdout", "error"]],
  ] as const) {
    const client = await SpdyClient.open(cluster, `${pod}/exec?${query}`, protocol);
    for (const [index, type] of types.entries()) await client.openStream(2 * index + 1, type);
    const { stdout, error } = await client.heard();
    assert.deepEqual({ stdout, error }, { stdout: "hello\r\n", error: "" }, protocol);
  }
});

test("[CMD12] before the fourth protocol only what went wrong is told of the end", async () => {
  await using cluster = await clusterWithPod();
  for (const protocol of ["v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"]) {
    const client = await SpdyClient.open(cluster, `${pod}/exec?command=false&stdout=true`, protocol);
    await client.openStream(1, "error");
    await client.openStream(3, "stdout");
    const { error } = await client.heard();
    assert.equal(error, "command terminated with non-zero exit code: command terminated with exit code 1", protocol);
  }
});

test("[CMD12] a protocol that is not served is refused, and so is who names none", async () => {
  await using cluster = await clusterWithPod();
  const refused = async (headers: Readonly<Record<string, string>>, code: number, message: RegExp): Promise<void> => {
    const request = { method: "POST", path: `${pod}/exec?command=true&stdout=true`, headers } as const;
    const { status, body } = await cluster.transport()(request);
    assert.equal(status, code);
    assert.match(JSON.parse(bytesText(await bodyBytes(body))).message, message);
  };
  const upgrade = { connection: "Upgrade", upgrade: "SPDY/3.1" };
  await refused(upgrade, 400, /^unable to upgrade: header X-Stream-Protocol-Version does not exist in request/);
  const accepted =
    /client supports \[v9\.channel\.k8s\.io\], server accepts \[v4.channel.k8s.io v3.channel.k8s.io v2.channel.k8s.io channel.k8s.io\]/;
  await refused({ ...upgrade, "x-stream-protocol-version": "v9.channel.k8s.io" }, 403, accepted);
});
