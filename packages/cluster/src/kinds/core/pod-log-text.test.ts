import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { Pod } from "@kaji/types/core/v1";
import { startCluster } from "../../start-cluster.ts";

test("the log of a pod is what its containers wrote, or the part of it that is asked for", async () => {
  await using cluster = await startCluster({ clock: new ManualClock(), controllers: ["node-lifecycle-controller"] });
  const { client } = cluster;
  const containers = [{ name: "main", image: "busybox", command: ["sh", "-c", "echo one; echo two"] }];
  await client.create(Pod, { metadata: { namespace: "default", name: "web" }, spec: { restartPolicy: "Never", containers } });
  await cluster.settled();
  const read = async (query: string): Promise<string> => {
    const { status, headers, body } = await cluster.transport()({
      method: "GET",
      path: `/api/v1/namespaces/default/pods/web/log${query}`,
      headers: { accept: "application/json" },
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return `${status} ${headers["content-type"]} ${Buffer.concat(chunks).toString("utf8")}`;
  };
  assert.equal(await read(""), "200 text/plain one\ntwo\n");
  assert.equal(await read("?tailLines=1"), "200 text/plain two\n");
  assert.equal(await read("?tailLines=1&timestamps"), "200 text/plain 2026-01-01T00:00:00.000000000Z two\n");
  assert.match(await read("?tailLines=some"), /^400 .*strconv.ParseInt: parsing .*some.*: invalid syntax/s);
  assert.match(await read("?container=other"), /^400 application\/json .*container other is not valid for pod web/s);
  assert.match(await read("?tailLines=-1"), /^422 .*PodLogOptions \\"web\\" is invalid: tailLines: Invalid value: -1/s);
  const lines: string[] = [];
  for await (const line of client.logs({ namespace: "default", name: "web" })) lines.push(line);
  assert.deepEqual(lines, ["one", "two"]);
  await assert.rejects(client.logs({ namespace: "default", name: "absent" }).next(), ApiError);
});
