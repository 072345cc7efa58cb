import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startCluster } from "@kaji/cluster";
import type { Cluster } from "@kaji/cluster";
import { Pod } from "@kaji/types/core/v1";
import type { LogState } from "./page/log-state.ts";
import { startDashboard } from "./start-dashboard.ts";
import type { Dashboard } from "./start-dashboard.ts";
import { openLog, openPage } from "./testing/live-page.ts";

const textOf = ({ blocks, begun }: LogState): string => [...blocks.flatMap(({ lines }) => lines), begun].join("\n");

describe("[DB18] the log of a Pod", () => {
  let cluster: Cluster;
  let dashboard: Dashboard;

  before(async () => {
    cluster = await startCluster({ nodes: 1 });
    dashboard = await startDashboard({ client: cluster.client, cluster: "test", limits: { pages: 2 } });
  });

  after(async () => {
    await dashboard[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  });

  /** A Pod that the page has seen to run, or to have run. */
  async function seenPod(name: string, command: readonly string[]): Promise<void> {
    const spec = {
      restartPolicy: "Never",
      containers: [
        { name: "web", image: "web", command },
        { name: "other", image: "other" },
      ],
    } as const;
    await cluster.client.create(Pod, { metadata: { name, namespace: "default", labels: { app: name } }, spec });
    await using page = await openPage(dashboard.url, { kind: "pods", object: `default/${name}` });
    const { object } = await page.until(
      (state) => typeof state.object === "object" && state.object.containers.every(({ run }) => run !== undefined),
    );
    assert.deepEqual(typeof object === "object" ? object.containers.map((each) => each.name) : object, ["web", "other"]);
  }

  test("is followed as it is written, and ends with its container", async () => {
    const script = cluster.pods.match("app=follow").logs(["one"]);
    await seenPod("follow", []);
    await using log = await openLog(dashboard.url, { pod: "default/follow", container: "web" });
    await log.until((state) => textOf(state) === "one\n");
    script.logs(["one", "zwölf <&>"]);
    await log.until((state) => textOf(state) === "one\nzwölf <&>\n");
    script.exit(0);
    await log.until(({ link }) => link.type === "Ended");
  });

  test("that is empty is open and empty", async () => {
    await seenPod("silent", []);
    await using log = await openLog(dashboard.url, { pod: "default/silent", container: "web" });
    assert.equal(textOf(await log.until(({ link }) => link.type === "Open")), "");
  });

  test("that cannot be read is said to be, in the words of the cluster", async () => {
    await seenPod("spoken", ["echo", "hello"]);
    const failure = async (choice: Parameters<typeof openLog>[1]): Promise<string> => {
      await using log = await openLog(dashboard.url, choice);
      const { link } = await log.until(({ link: { type } }) => type === "Failed");
      return link.type === "Failed" ? link.why : "";
    };
    const pod = "default/spoken";
    assert.match(await failure({ pod, container: "none" }), /^the log cannot be read: container none is not valid for pod spoken/);
    assert.match(
      await failure({ pod, container: "web", previous: "true" }),
      /^the log cannot be read: previous terminated container "web" in pod "spoken" not found/,
    );
    assert.equal(await failure({ pod: "default/none", container: "web" }), 'the log cannot be read: pods "none" not found');
    for (const other of ["default/..", "../secrets", "default/../secrets/password", "default/", "none", ""])
      assert.equal(await failure({ pod: other, container: "web" }), `${other} names no Pod`);
  });

  test("[DB2, DB3, DB8] is told to nobody else, and no more at once than there may be", async () => {
    const { origin } = new URL(dashboard.url);
    const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await fetch(`${origin}/log?pod=default%2Fsilent&container=web`, { headers })).status;
    assert.equal(await status({}), 401);
    assert.equal(await status({ origin: "http://evil.example", authorization: `Bearer ${dashboard.url.split("=")[1]}` }), 403);
    const choice = { pod: "default/silent", container: "web" };
    await using _first = await openLog(dashboard.url, choice);
    await using _second = await openLog(dashboard.url, choice);
    await assert.rejects(openLog(dashboard.url, choice), /^Error: 503: 2 logs are open already; close one of them/);
  });
});
