import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { KubeClient } from "@kaji/client";
import { startControlPlane } from "@kaji/cluster";
import { isReason } from "@kaji/core";
import { Deployment } from "@kaji/types/apps/v1";
import { ConfigMap, Pod, Secret } from "@kaji/types/core/v1";
import { goTool } from "../packaging/go-tool.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "kaji-helm-"));
const chart = fileURLToPath(new URL("testdata/shop", import.meta.url));

after(() => rmSync(folder, { recursive: true, force: true }));

test("helm installs, upgrades, tests, rolls back and uninstalls a chart on the embedded control plane", async () => {
  const program = await goTool("helm");
  await using plane = await startControlPlane({ folder: join(folder, "data"), storage: "memory" });
  await using client = new KubeClient(plane.server.transport());
  const env = { ...process.env, KUBECONFIG: plane.kubeconfig, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder };
  const helm = async (...args: readonly string[]): Promise<string> => (await run(program, [...args, "--namespace=shop"], { env })).stdout;
  const refused = (error: unknown): string => String(Object(error).stderr);
  const change = (...args: readonly string[]): Promise<string> => helm(...args, "--wait", "--timeout=60s");
  const web = (): Promise<Deployment> => client.get(Deployment, "shop/one");
  const imageOf = ({ spec }: Deployment): string | undefined => spec?.template.spec?.containers[0]?.image;

  await change("install", "one", chart, "--create-namespace");
  assert.equal((await web()).status?.readyReplicas, 2);
  assert.deepEqual((await client.get(ConfigMap, "shop/one")).data, { version: "v1.36.3", hasAutoscaling: "true", isThere: "true" });
  assert.deepEqual(Object.keys((await client.get(Secret, "shop/one-token")).data ?? {}).toSorted(), ["ca.crt", "namespace", "token"]);

  await change("upgrade", "one", chart, "--set=tag=1.30,replicas=3,hasExtra=false");
  const upgraded = await web();
  assert.deepEqual([imageOf(upgraded), upgraded.status?.updatedReplicas, upgraded.status?.readyReplicas], ["nginx:1.30", 3, 3]);
  await assert.rejects(client.get(Secret, "shop/one-extra"), (error) => isReason(error, "NotFound"));

  assert.match(await helm("test", "one", "--logs"), /Phase: +Succeeded[^]*it works/);

  const upgrade = change("upgrade", "one", chart, "--set=watts=0", "--rollback-on-failure").catch(refused);
  assert.match(
    await upgrade,
    /has been rolled back[^]*spec\.watts: Invalid value: 0: spec\.watts in body should be greater than or equal to 1/,
  );
  assert.equal(imageOf(await web()), "nginx:1.30");

  await client.mergePatch(Deployment, "shop/one", { spec: { replicas: 4 } });
  assert.match(await change("upgrade", "one", chart).catch(refused), /Apply failed with 1 conflict[^]*\.spec\.replicas/);
  await change("rollback", "one", "1", "--force-conflicts");
  const restored = await web();
  assert.deepEqual([imageOf(restored), restored.status?.readyReplicas], ["nginx:1.29", 2]);
  assert.equal((await client.get(Secret, "shop/one-extra")).type, "Opaque");
  const history: readonly { readonly status: string }[] = JSON.parse(await helm("history", "one", "--output=json"));
  assert.deepEqual(
    history.map(({ status }) => status),
    ["superseded", "superseded", "failed", "superseded", "failed", "deployed"],
  );

  await change("uninstall", "one");
  await assert.rejects(web(), (error) => isReason(error, "NotFound"));
  const pods = (await client.list(Pod, { namespace: "shop" })).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(pods, ["one-greeting"], "helm leaves the pods of tests where they are");
});
