import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { KubeClient } from "@kaji/client";
import type { ControlPlane } from "@kaji/cluster";
import { isReason } from "@kaji/core";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { Deployment } from "@kaji/types/apps/v1";
import { Namespace } from "@kaji/types/core/v1";
import { run } from "../program.ts";
import { barCluster, clusterFor } from "../testing/project-cluster.ts";
import type { BarCluster } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import type { Ran } from "../testing/run-program.ts";
import { unconvertedOperator } from "../testing/old-cars.ts";
import { scriptedPrompt } from "../testing/scripted-prompt.ts";
import { barProject, carOperator, emptyProject } from "../testing/test-project.ts";
import type { TestProject } from "../testing/test-project.ts";

describe("onto a cluster", () => {
  let rig: BarCluster;
  let project: TestProject;
  let cluster: ControlPlane;
  let client: KubeClient;

  before(async () => {
    rig = await barCluster();
    ({ project, cluster, client } = rig);
  });

  after(() => rig?.[Symbol.asyncDispose]());

  beforeEach(async () => {
    assert.equal((await kaji("undeploy", "--delete-objects", "--yes")).code, 0);
  });

  async function kaji(...parameters: readonly string[]): Promise<Ran> {
    return ran([...parameters, "--project", project.folder, "--kubeconfig", cluster.kubeconfig]);
  }

  async function exists(...[resource, address]: Parameters<KubeClient["get"]>): Promise<boolean> {
    return client.get(resource, address).then(
      () => true,
      (error: unknown) => (isReason(error, "NotFound") ? false : Promise.reject(error)),
    );
  }

  async function createBar(): Promise<void> {
    const Bar = await client.discovery.resourceOf({ apiVersion: "example.com/v1", kind: "Bar" });
    await client.create(Bar, { apiVersion: "example.com/v1", kind: "Bar", metadata: { name: "a", namespace: "default" }, spec: {} });
  }

  test("install makes the resources usable; again it changes nothing; uninstall removes the definitions", async () => {
    const first = await kaji("install");
    assert.deepEqual([first.code, first.out.split("\n")[0]], [0, "created   CustomResourceDefinition bars.example.com"]);
    await createBar();
    assert.match(
      (await kaji("install")).out,
      /^unchanged CustomResourceDefinition bars\.example\.com\nthe definitions of bars are on kaji \(https:/,
    );
    const kept = await kaji("uninstall", "--yes");
    assert.match(
      kept.out,
      /^kept {6}CustomResourceDefinition bars\.example\.com: it has 1 object, which --delete-objects removes with it$/m,
    );
    assert.equal(await exists(CustomResourceDefinition, "bars.example.com"), true);
    assert.equal((await kaji("uninstall", "--yes", "--delete-objects")).code, 0);
    assert.equal(await exists(CustomResourceDefinition, "bars.example.com"), false);
  });

  test("deploy puts all of it there and waits until it is available; again it changes nothing; undeploy removes all of it", async () => {
    const first = await kaji("deploy", "--image", "bars:1", "--output", "json");
    assert.deepEqual([first.code, first.err.split("\n").at(0)?.startsWith("kaji:")], [0, false]);
    const changes: readonly { readonly change: string; readonly object: string }[] = JSON.parse(first.out);
    assert.ok(changes.every(({ change }) => change === "created"));
    assert.ok(changes.some(({ object }) => object === "Deployment bars-system/bars"));
    assert.equal((await client.get(Deployment, "bars-system/bars")).status?.availableReplicas, 1);
    const again: typeof changes = JSON.parse((await kaji("deploy", "--image", "bars:1", "--output", "json")).out);
    assert.deepEqual(
      again.filter(({ change }) => change !== "unchanged"),
      [],
    );
    const other: typeof changes = JSON.parse((await kaji("deploy", "--image", "bars:2", "--output", "json")).out);
    assert.deepEqual(
      other.filter(({ change }) => change !== "unchanged"),
      [{ change: "changed", object: "Deployment bars-system/bars", reason: "spec.template.spec.containers[manager].image" }],
    );
    assert.equal((await kaji("undeploy", "--yes")).code, 0);
    assert.deepEqual([await exists(Namespace, "bars-system"), await exists(CustomResourceDefinition, "bars.example.com")], [false, false]);
  });

  test("nothing is removed unless the user says so", async () => {
    await kaji("deploy", "--timeout", "0s");
    const { code, err } = await kaji("undeploy");
    assert.equal(code, 1);
    assert.match(
      err,
      /^To be removed from kaji \(https:.*\):\n- CustomResourceDefinition bars\.example\.com\n- Deployment bars-system\/bars\n/,
    );
    assert.match(err, /\nkaji: nothing was removed, since there is nobody to ask; --yes removes all of these\n$/);
    const parameters = ["undeploy", "--project", project.folder, "--kubeconfig", cluster.kubeconfig];
    assert.match((await ran(parameters, scriptedPrompt({ "Remove all": false }))).err, /\nkaji: nothing was removed\n$/);
    assert.equal(await exists(Deployment, "bars-system/bars"), true);
    assert.equal((await ran(parameters, scriptedPrompt({ "Remove all": true }))).code, 0);
    assert.equal(await exists(Deployment, "bars-system/bars"), false);
  });

  test("an operator that converts objects is not taken from them unless told so, and if it is gone that is said", async () => {
    using cars = emptyProject();
    cars.write("package.json", `{ "name": "cars", "version": "1.2.3", "type": "module" }\n`);
    cars.write("src/operator.ts", carOperator);
    const kajiOf = (...parameters: readonly string[]): Promise<Ran> =>
      ran([...parameters, "--project", cars.folder, "--kubeconfig", cluster.kubeconfig]);
    await kajiOf("deploy", "--timeout", "0s");
    const old = { apiVersion: "example.com/v1alpha1", kind: "Car", metadata: { name: "a", namespace: "default" }, spec: {} };
    const now = { ...old, apiVersion: "example.com/v1" };
    await client.create(await client.discovery.resourceOf(now), now);
    const refused = await kajiOf("undeploy", "--yes");
    assert.equal(
      refused.err,
      "kaji: nothing was removed: CustomResourceDefinition cars.example.com has 1 object that only this operator converts between versions, and without it nobody could read them; --delete-objects removes them too, --leave-objects leaves them as they are\n",
    );
    assert.equal(await exists(Deployment, "cars-system/cars"), true);
    const left = await kajiOf("undeploy", "--yes", "--leave-objects");
    assert.match(
      left.out,
      /^kept {6}CustomResourceDefinition cars\.example\.com: it has 1 object, which --delete-objects removes with it; deleted later, they wait for the operator to come back$/m,
    );
    assert.equal(await exists(Deployment, "cars-system/cars"), false);

    // What is stored in another version than the one that is asked for is out of reach now.
    const Cars = await client.get(CustomResourceDefinition, "cars.example.com");
    const versions = Cars.spec.versions.map((version) => ({ ...version, storage: version.name === "v1alpha1" }));
    await client.update(CustomResourceDefinition, { ...Cars, spec: { ...Cars.spec, versions } });
    await client.create(await client.discovery.resourceOf(old), { ...old, metadata: { name: "0", namespace: "default" } });
    const again = await kajiOf("undeploy", "--yes");
    assert.deepEqual([again.code, again.err], [0, ""]);
    assert.match(
      again.out,
      /^kept {6}CustomResourceDefinition cars\.example\.com: its objects cannot be read without the operator that converts them; /m,
    );
    await client.mergePatch(CustomResourceDefinition, "cars.example.com", { spec: { conversion: { strategy: "None", webhook: null } } });
    assert.equal((await kajiOf("undeploy", "--yes", "--delete-objects")).code, 0);
  });

  test("a version that is added is stored only when the operator that converts it runs, and one that is stored does not go", async () => {
    const kajiOf = async (text: string, ...parameters: readonly string[]): Promise<Ran> => {
      using cars = emptyProject();
      cars.write("package.json", `{ "name": "cars", "version": "1.2.3", "type": "module" }\n`);
      cars.write("src/operator.ts", text);
      return await ran([...parameters, "--project", cars.folder, "--kubeconfig", cluster.kubeconfig]);
    };
    const deployed = (image: string, text: string, ...parameters: readonly string[]): Promise<Ran> =>
      kajiOf(text, "deploy", "--image", image, ...parameters);
    const stored = async (): Promise<readonly string[]> => {
      const { spec } = await client.get(CustomResourceDefinition, "cars.example.com");
      return spec.versions.map(({ name, storage }) => (storage ? `${name}*` : name));
    };
    assert.equal((await deployed("cars:1", unconvertedOperator(["v1alpha1"]))).code, 0);
    assert.deepEqual(await stored(), ["v1alpha1*"]);

    const installed = await kajiOf(carOperator, "install");
    assert.match(
      installed.out,
      /^kept {6}CustomResourceDefinition cars\.example\.com: with the versions of both operators until kaji deploy has brought the new one$/m,
    );
    assert.deepEqual(await stored(), ["v1", "v1alpha1*"]);

    const stuck = await deployed("cars:2", carOperator, "--timeout", "0s");
    assert.match(
      stuck.out,
      /^kept {6}CustomResourceDefinition cars\.example\.com: as it is until this is run again, when the new operator runs$/m,
    );
    assert.deepEqual(await stored(), ["v1", "v1alpha1*"]);
    const old = { apiVersion: "example.com/v1alpha1", kind: "Car", metadata: { name: "a", namespace: "default" }, spec: {} };
    const Car = await client.discovery.resourceOf(old);
    // Nobody runs the webhook in this test: what asks it would fail.
    await client.create(Car, old);
    await client.delete(Car, old.metadata);

    const done = await deployed("cars:2", carOperator);
    const lines = done.out.split("\n").filter((line) => /CustomResourceDefinition|Deployment/.test(line));
    assert.deepEqual(lines, [
      "unchanged CustomResourceDefinition cars.example.com",
      "unchanged Deployment cars-system/cars",
      "changed   CustomResourceDefinition cars.example.com: spec.versions[v1].storage, spec.versions[v1alpha1].storage",
    ]);
    assert.match(done.err, /^CustomResourceDefinition cars\.example\.com has the versions of both operators until the new one runs$/m);
    assert.deepEqual(await stored(), ["v1*", "v1alpha1"]);

    const refused = await deployed("cars:3", carOperator.replace(/, versions: .*?\}\);/, "});").replace(/ {2}conversions: .*\n/, ""));
    assert.equal(refused.code, 1);
    assert.match(refused.err, /status\.storedVersions\[0\]: Invalid value: "v1alpha1": missing from spec\.versions/);
    assert.equal((await client.get(Deployment, "cars-system/cars")).spec?.template.spec?.containers[0]?.image, "cars:2");
    assert.equal((await kajiOf(carOperator, "undeploy", "--delete-objects", "--yes")).code, 0);
  });

  test("a namespace that was there before is neither changed nor removed", async () => {
    const { out } = await kaji("deploy", "--namespace", "default", "--timeout", "0s");
    assert.match(out, /^kept {6}Namespace default: it was there before, and stays as it is$/m);
    const undone = await kaji("undeploy", "--namespace", "default", "--yes");
    assert.match(undone.out, /^kept {6}Namespace default: it was not put there by kaji$/m);
    const { metadata } = await client.get(Namespace, "default");
    assert.equal(metadata.labels?.["pod-security.kubernetes.io/enforce"], undefined);
  });

  test("what an earlier version was deployed with is removed when told so", async () => {
    await kaji("deploy", "--replicas", "2", "--timeout", "0s");
    const { out: would } = await kaji("deploy", "--dry-run");
    assert.match(would, /^changed {3}Deployment bars-system\/bars: spec\.replicas$/m);
    assert.match(would, /^removed {3}PodDisruptionBudget bars-system\/bars: after a question$/m);
    const left = await kaji("deploy", "--timeout", "0s");
    assert.match(left.out, /^kept {6}PodDisruptionBudget bars-system\/bars: left over from an earlier version; --yes removes it$/m);
    const { out } = await kaji("deploy", "--timeout", "0s", "--yes");
    assert.match(out, /^removed {3}PodDisruptionBudget bars-system\/bars$/m);
  });

  test("a dry run asks the server and changes nothing", async () => {
    const { code, out } = await kaji("deploy", "--dry-run");
    assert.equal(code, 0);
    assert.match(out, /^created {3}ClusterRole bars$/m);
    assert.match(out, /^created {3}Deployment bars-system\/bars: checked in the namespace default, since there is no bars-system yet$/m);
    assert.equal(await exists(CustomResourceDefinition, "bars.example.com"), false);
  });

  test("cert-manager that is not there is named, with the remedy", async () => {
    using called = barProject({ hasWebhook: true });
    const { code, err } = await ran([
      ...["deploy", "--certificates", "cert-manager", "--timeout", "0s"],
      ...["--project", called.folder, "--kubeconfig", cluster.kubeconfig],
    ]);
    assert.equal(code, 1);
    assert.match(err, /has no kind Issuer \(cert-manager\.io\/v1\) for .*; install cert-manager there, or use --certificates built-in\n$/);
  });

  test("a namespace of others that is not there is named before anything is changed", async () => {
    const { code, err } = await kaji("deploy", "--namespaces", "default,nowhere");
    assert.match(err, /has no namespace nowhere for Role nowhere\/bars; make it first: kubectl create namespace nowhere/);
    assert.deepEqual([code, await exists(Namespace, "bars-system")], [1, false]);
  });

  test("a user without permission is told so", async () => {
    const kubeconfig = join(project.folder, "nobody");
    const text = readFileSync(cluster.kubeconfig, "utf8");
    writeFileSync(kubeconfig, text.replaceAll(/ {6}client-.*\n/g, "").replace("    user:\n", "    user: {}\n"));
    const { code, err } = await ran(["install", "--project", project.folder, "--kubeconfig", kubeconfig]);
    assert.equal(code, 1);
    assert.match(err, /^kaji: kaji \(https:.*\) refused: .*; (use a context of a user who may|your credentials are not known)/);
  });
});

test("Ctrl+C while it waits says what to do, and running it again finishes the job", async () => {
  using project = barProject();
  await using cluster = await clusterFor(project, { nodes: 0 });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig] as const;
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@kaji/source", main, "deploy", ...target]);
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
    if (text.includes("waiting for Deployment")) child.kill("SIGINT");
  });
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.match(err, /\nkaji: stopped half way; run it again to finish\n$/);
  assert.equal((await ran(["deploy", ...target, "--replicas", "0"])).code, 0);
});

test("Ctrl+C at any step of it leaves what a further run goes on from, until all is there", async () => {
  using project = barProject({ hasWebhook: true });
  await using cluster = await clusterFor(project, { nodes: 0, controllers: [] });
  const deploy = ["deploy", "--timeout", "0s", "--project", project.folder, "--kubeconfig", cluster.kubeconfig];
  const total = operatorManifestCount((await ran([...deploy, "--dry-run"])).out);
  assert.ok(total > 10);
  for (let step = 1; step < total; step++) {
    let [lines, err] = [0, ""];
    const out = (text: string): void => {
      lines++;
      if (text.startsWith("created") && lines === step) process.emit("SIGINT", "SIGINT");
    };
    assert.equal(await run(deploy, { out, err: (text) => (err += text) }), 1, `step ${step}`);
    assert.equal(err, "kaji: stopped half way; run it again to finish\n");
    assert.equal(lines, step);
  }
  assert.equal((await ran(deploy)).code, 0);
  assert.doesNotMatch((await ran(deploy)).out, /^(created|changed)/m);
});

/** How many objects a report is about. */
function operatorManifestCount(report: string): number {
  return report.split("\n").filter((line) => line.startsWith("created ")).length;
}

test("a cluster that does not answer is waited for with a word, until the user stops it", async () => {
  using project = barProject();
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const kubeconfig = join(project.folder, "config");
  writeFileSync(
    kubeconfig,
    `apiVersion: v1
kind: Config
current-context: silent
contexts: [{ name: silent, context: { cluster: silent, user: silent } }]
clusters: [{ name: silent, cluster: { server: "https://127.0.0.1:${address.port}" } }]
users: [{ name: silent, user: {} }]
`,
  );
  let text = "";
  const code = await run(["install", "--project", project.folder, "--kubeconfig", kubeconfig], {
    out: () => {},
    err(line) {
      text += line;
      if (line.startsWith("waiting for silent")) process.emit("SIGINT", "SIGINT");
    },
  });
  server.close();
  assert.equal(code, 1);
  assert.match(text, /^waiting for silent \(https:.*\) to answer\nkaji: stopped half way; run it again to finish\n$/);
});

test("a cluster that is not there, and a kubeconfig that is none, are one line with the remedy", async () => {
  using project = barProject();
  const kubeconfig = join(project.folder, "config");
  const parameters = ["install", "--project", project.folder, "--kubeconfig", kubeconfig];
  assert.match(
    (await ran(parameters)).err,
    /^kaji: kubeconfig: .*config: there is no such file; set KUBECONFIG to the path of a kubeconfig\n$/,
  );
  writeFileSync(
    kubeconfig,
    `apiVersion: v1
kind: Config
current-context: gone
contexts: [{ name: gone, context: { cluster: gone, user: gone } }]
clusters: [{ name: gone, cluster: { server: "https://127.0.0.1:1" } }]
users: [{ name: gone, user: {} }]
`,
  );
  const { code, err } = await ran(parameters);
  assert.equal(code, 1);
  assert.match(
    err,
    /^kaji: cannot reach gone \(https:\/\/127\.0\.0\.1:1\): .*; see whether it runs, and whether kubeconfig and context are the right ones\n$/,
  );
});
