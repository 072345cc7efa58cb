import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { KubeClient } from "@kaji/client";
import type { ControlPlane } from "@kaji/cluster";
import { Deployment } from "@kaji/types/apps/v1";
import { Pod } from "@kaji/types/core/v1";
import { barCluster } from "../testing/project-cluster.ts";
import type { BarCluster } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import type { Ran } from "../testing/run-program.ts";
import type { TestProject } from "../testing/test-project.ts";

describe("another division of the work", () => {
  let rig: BarCluster;
  let project: TestProject;
  let cluster: ControlPlane;
  let client: KubeClient;

  before(async () => {
    rig = await barCluster();
    ({ project, cluster, client } = rig);
  });

  after(() => rig?.[Symbol.asyncDispose]());

  function deploy(...parameters: readonly string[]): Promise<Ran> {
    return ran(["deploy", ...parameters, "--project", project.folder, "--kubeconfig", cluster.kubeconfig]);
  }

  /** The first four times that a Pod comes or goes from now on. */
  async function fourChanges(): Promise<Promise<readonly string[]>[]> {
    const { metadata } = await client.list(Pod, { namespace: "bars-system" });
    const watch = async (): Promise<readonly string[]> => {
      const seen: string[] = [];
      for await (const { type } of client.watch(Pod, { namespace: "bars-system", resourceVersion: metadata.resourceVersion ?? "" })) {
        if (type === "MODIFIED") continue;
        if (seen.push(type) === 4) break;
      }
      return seen;
    };
    // In a list, or awaiting it would be to wait for the changes.
    return [watch()];
  }

  test("from one that leads to all that share, and back, all copies end before the new ones begin", async () => {
    assert.equal((await deploy("--image", "bars:1", "--replicas", "2")).code, 0);
    for (const [parameters, told] of [
      [["--shards", "8"], "one copy leads, and from now on all copies share the work: all copies end before the new ones begin"],
      [[], "all copies share the work, and from now on one copy leads: all copies end before the new ones begin"],
    ] as const) {
      const [changes] = await fourChanges();
      const { code, err } = await deploy("--image", "bars:1", "--replicas", "2", ...parameters);
      assert.equal(code, 0, err);
      assert.ok(err.includes(`Deployment bars-system/bars: ${told}\n`), err);
      assert.deepEqual(await changes, ["DELETED", "DELETED", "ADDED", "ADDED"]);
      assert.equal((await client.get(Deployment, "bars-system/bars")).status?.availableReplicas, 2);
    }
  });

  test("who does not wait is told to", async () => {
    await deploy("--image", "bars:1", "--replicas", "2");
    const { code, err } = await deploy("--image", "bars:1", "--replicas", "2", "--shards", "8", "--timeout", "0s");
    assert.equal(code, 1);
    assert.match(
      err,
      /\nkaji: the earlier copies of Deployment bars-system\/bars have to end first, which takes a --timeout of more than 0s\n$/,
    );
    assert.equal((await client.get(Deployment, "bars-system/bars")).spec?.replicas, 2);
  });

  test("a dry run says so, and ends nothing; the same division again is nothing to say", async () => {
    await deploy("--image", "bars:1", "--replicas", "2");
    const { err } = await deploy("--image", "bars:1", "--replicas", "2", "--shards", "8", "--dry-run");
    assert.match(err, /all copies end before the new ones begin/);
    assert.equal((await client.get(Deployment, "bars-system/bars")).status?.availableReplicas, 2);
    assert.doesNotMatch((await deploy("--image", "bars:2", "--replicas", "2")).err, /all copies end/);
  });
});
