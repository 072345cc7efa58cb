import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createClient, loadConfig } from "@kaji/client";
import { eventually } from "@kaji/core/testing";
import { ValidatingWebhookConfiguration } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ConfigMap } from "@kaji/types/core/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { ran } from "../testing/run-program.ts";
import { startDev } from "../testing/running-dev.ts";
import { barProject, carOperator, emptyProject } from "../testing/test-project.ts";

const bar = {
  apiVersion: "bars.example.com/v1alpha1",
  kind: "Bar",
  metadata: { name: "one", namespace: "default" },
  spec: { message: "hello" },
};

test("the operator runs on a cluster under its own account, follows its sources, and objects survive", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "bars", "--kind", "Bar", "--folder", folder, "--yes"]);
  await ran(["create", "webhook", "--kind", "Bar", "--project", folder, "--yes"]);
  const controller = join(folder, "src/bar-controller.ts");
  const saved = (change: (text: string) => string): void => writeFileSync(controller, change(readFileSync(controller, "utf8")));
  {
    await using dev = await startDev(["--project", folder]);
    await dev.said(/created +ClusterRole bars\n/);
    await dev.said(/webhooks can be called: the API server knows their authority now kind=ValidatingWebhookConfiguration/);
    await using client = await createClient({ kubeconfig: dev.kubeconfig, fieldManager: "test" });
    const Bar = await client.discovery.resourceOf(bar);
    const { metadata } = await client.create(Bar, bar);
    assert.equal(metadata.labels?.["app.kubernetes.io/part-of"], "bar", "the webhook was called");
    await dev.said(/  Bar default\/one +(created|found) +done +[\d.]+ m?s  applied ConfigMap one; patched status\n/);

    const { out: story } = await ran(["explain", "bar/one", "--project", folder]);
    assert.match(
      story,
      /^Bar default\/one\n\S+ {2}(created|found): done in [\d.]+ m?s, by bar\n +applied ConfigMap one\n +patched status\n/,
    );

    const { out: findings } = await ran(["doctor", "--project", folder, "--kubeconfig", dev.kubeconfig]);
    assert.match(findings, /^ok {7}Secret bars-system\/bars-webhook-certificates: has a certificate that is good for \d+ days$/m);
    assert.match(findings, /^ok {7}webhooks of Bar: are called$/m);
    assert.match(
      findings,
      /^ok {7}Deployment bars-system\/bars: is not there: kaji dev has the operator called at https:\/\/127\.0\.0\.1:\d+$/m,
    );
    assert.doesNotMatch(findings, /^problem/m);

    saved((text) => text.replace("bar.spec.message", "`${bar.spec.message}!`"));
    await dev.said(/src\/bar-controller\.ts was saved\n/);
    await dev.said(/  Bar default\/one +\S.* +done +[\d.]+ m?s  applied ConfigMap one \(data\.message\)\n/);
    assert.deepEqual((await client.get(ConfigMap, "default/one")).data, { message: "hello!" });

    saved((text) => text.replace("`${bar.spec.message}!`", "`${process.env.POD_NAMESPACE}!`"));
    await dev.said(/  Bar default\/one +\S.* +done +[\d.]+ m?s  applied ConfigMap one \(data\.message\)\n/);
    assert.deepEqual((await client.get(ConfigMap, "default/one")).data, { message: "bars-system!" });
    saved((text) =>
      text
        .replace("`${process.env.POD_NAMESPACE}!`", "(await loadConfig()).connection.server")
        .replace("import { ", "import { loadConfig, "),
    );
    await dev.said(/  Bar default\/one +\S.* +done +[\d.]+ m?s  applied ConfigMap one \(data\.message\)\n/);
    const { connection } = await loadConfig({ kubeconfig: dev.kubeconfig });
    assert.deepEqual(
      (await client.get(ConfigMap, "default/one")).data,
      { message: connection.server },
      "a client of its own finds this cluster",
    );
    saved((text) => text.replace("(await loadConfig()).connection.server", "`${bar.spec.message}!`"));
    await dev.said(/  Bar default\/one +\S.* +done +[\d.]+ m?s  applied ConfigMap one \(data\.message\)\n/);

    saved((text) => `${text}const broken = ;\n`);
    await dev.said(/src\/operator\.ts cannot be loaded: .*\(src\/bar-controller\.ts:\d+\)\n/);
    saved((text) => text.replace("const broken = ;\n", "").replace("!`", "?`"));
    await dev.said(/  Bar default\/one +\S.* +done +[\d.]+ m?s  applied ConfigMap one \(data\.message\)\n/);

    const { origin, hash } = new URL(await dev.dashboard);
    const page = await fetch(`${origin}/live`, { headers: { authorization: `Bearer ${hash.replace("#token=", "")}` } });
    const reader = page.body?.pipeThrough(new TextDecoderStream()).getReader();
    // What happened before anybody opened the page.
    for (let told = ""; !told.includes('"bars-system!"');) told += (await reader?.read())?.value ?? assert.fail(told);
    assert.equal(await dev.stop("SIGINT"), 0);
  }
  await using again = await startDev(["--project", folder]);
  await again.said(/ {2}what happens is shown at http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n/);
  await using client = await createClient({ kubeconfig: again.kubeconfig, fieldManager: "test" });
  assert.deepEqual((await client.get(ConfigMap, "default/one")).data, { message: "hello?" });
  const [, metrics = ""] = await again.said(/ {2}metrics of the operator are at (\S+)\n/);
  saved((text) => text.replace("?`", "!`"));
  await again.said(/  Bar default\/one +\S.* +done +[\d.]+ m?s  applied ConfigMap one \(data\.message\)\n/);
  assert.match(await (await fetch(metrics)).text(), /^controller_runtime_reconcile_total\{controller="bar",result="success"\} 1$/m);
  assert.equal(await again.stop("SIGTERM"), 0);
  assert.ok(existsSync(join(folder, ".kaji/storage.db")));
  await using fresh = await startDev(["--project", folder, "--fresh"]);
  await using other = await createClient({ kubeconfig: fresh.kubeconfig });
  assert.equal((await other.list(ConfigMap, { namespace: "default", fieldSelector: "metadata.name=one" })).items.length, 0);
  assert.equal(await fresh.stop("SIGTERM"), 0);
});

test("an operator that ended since a kind of others is not there says what it waits for, and is started when that is there", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "cars", "--kind", "Car", "--folder", folder, "--yes"]);
  project.write("src/operator.ts", policyWatcher);
  await using dev = await startDev(["--project", folder]);
  await dev.said(
    /the operator ended by itself \(exit code 1\); it is started again when a source is saved, or the cluster serves policies\.example\.com in example\.com\/v1: name the file with its CustomResourceDefinition in package\.json, as in "kaji": \{ "dev": \{ "resources": \["crds\.yaml"\] \} \}; or kubectl apply -f its CustomResourceDefinition\n/,
  );
  await using client = await createClient({ kubeconfig: dev.kubeconfig, fieldManager: "test" });
  await client.create(CustomResourceDefinition, {
    metadata: { name: "policies.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Policy", plural: "policies" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  });
  await dev.said(/the cluster serves policies\.example\.com in example\.com\/v1 now\n/);
  await dev.said(/operator watcher was started/);
  await client.create(ConfigMap, { metadata: { name: "seen", namespace: "default" } });
  await dev.said(/  ConfigMap default\/seen +(created|found) +done /);
  project.write("src/main.ts", "process.exit(3);\n");
  await dev.said(/the operator ended by itself \(exit code 3\); it is started again when a source is saved\n/);
  assert.equal(await dev.stop("SIGINT"), 0);
});

/** An operator that watches a kind which is not its own. */
const policyWatcher = `import { defineController, defineOperator, resource, watch } from "kaji";
import { ConfigMap } from "kaji/core/v1";

const Policy = resource({ group: "example.com", version: "v1", kind: "Policy", plural: "policies", scope: "Namespaced" });
const controller = defineController(ConfigMap, { watches: [watch(Policy, { toKeys: () => [] })], reconcile() {} });
export const operator = defineOperator({ name: "watcher", controllers: [controller] });
`;

test("the cluster starts with what others bring, and follows its files", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "cars", "--kind", "Car", "--folder", folder, "--yes"]);
  const manifest: object = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = (...resources: readonly string[]): void =>
    project.write("package.json", JSON.stringify({ ...manifest, kaji: { dev: { resources } } }));
  named("others", "gone.yaml");
  project.write("src/operator.ts", policyWatcher);
  const policy = (text: string): string =>
    `apiVersion: example.com/v1\nkind: Policy\nmetadata: { name: strict }\nspec: { text: ${text} }\n`;
  project.write("others/a-policy.yaml", policy("first"));
  project.write("others/crd.yaml", policyDefinition);
  project.write("others/README.md", "not an object");
  const { err } = await ran(["dev", "--project", folder]);
  assert.match(err, /^kaji: package\.json: kaji\.dev\.resources: there is no gone\.yaml in \S+\n$/);
  named("others");
  await using dev = await startDev(["--project", folder]);
  await dev.said(/created +CustomResourceDefinition policies\.example\.com\n/);
  await dev.said(/created +Policy default\/strict\n/);
  await dev.said(/operator watcher was started/);
  project.write("others/a-policy.yaml", policy("second"));
  await dev.said(/others\/a-policy\.yaml was saved\n/);
  await dev.said(/changed +Policy default\/strict: spec\.text\n/);
  project.write("others/a-policy.yaml", "kind: Policy\n");
  await dev.said(/a-policy\.yaml has something that is no object: it needs apiVersion, kind and metadata\.name\n/);
  project.write("others/a-policy.yaml", policy("second"));
  await dev.said(/operator watcher was started/);
  project.write("late/loose.yaml", policy("third").replace("strict", "loose"));
  named("others", "late");
  await dev.said(/package\.json was saved\n/);
  await dev.said(/created +Policy default\/loose\n/);
  project.write("late/loose.yaml", policy("fourth").replace("strict", "loose"));
  await dev.said(/changed +Policy default\/loose: spec\.text\n/);
  assert.equal(await dev.stop("SIGINT"), 0);
});

/** As another operator brings it. */
const policyDefinition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: policies.example.com, creationTimestamp: null }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Policy, plural: policies }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

test("a definition of the operator's own that somebody has removed is put back, and one that could not be changed takes its place", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "bars", "--kind", "Bar", "--folder", folder, "--yes"]);
  await using dev = await startDev(["--project", folder]);
  await dev.said(/operator bars was started/);
  await using client = await createClient({ kubeconfig: dev.kubeconfig, fieldManager: "test" });
  const name = "bars.bars.example.com";
  await client.delete(CustomResourceDefinition, name);
  await dev.said(/CustomResourceDefinition bars\.bars\.example\.com was deleted\n/);
  await dev.said(/created +CustomResourceDefinition bars\.bars\.example\.com\n/);
  await dev.said(/operator bars was started/);
  await client.create(await client.discovery.resourceOf(bar), bar);
  await dev.said(/  Bar default\/one +(created|found) +done /);
  const source = join(folder, "src/bar.ts");
  const before = readFileSync(source, "utf8");
  project.write("src/bar.ts", before.replace(`kind: "Bar",`, `kind: "Bar", scope: "Cluster",`));
  await dev.said(/ refused Bar: spec\.scope: .*field is immutable; kubectl delete crd bars\.bars\.example\.com makes room for /);
  await client.delete(CustomResourceDefinition, name);
  await dev.said(/created +CustomResourceDefinition bars\.bars\.example\.com\n/);
  await dev.said(/operator bars was started/);
  assert.equal((await client.get(CustomResourceDefinition, name)).spec.scope, "Cluster");
  assert.equal(await dev.stop("SIGTERM"), 0);
});

test("what is saved while the operator is started for the first time is noticed too", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "bars", "--kind", "Bar", "--folder", folder, "--yes"]);
  await using dev = await startDev(["--project", folder]);
  project.write("src/added.ts", "export {};\n");
  await dev.said(/src\/added\.ts was saved\n/);
});

test("it can be developed on a cluster that is there, unless it runs there already", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "bars", "--kind", "Bar", "--folder", folder, "--yes"]);
  await using cluster = await clusterFor({ folder });
  const target = ["--project", folder, "--kubeconfig", cluster.kubeconfig] as const;
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "test" });
  {
    await using dev = await startDev([...target, "--context", "kaji", "--output", "json"]);
    await dev.said(/^\{"type":"Ready","url":"https:.*\}\n/m);
    await dev.said(/operator bars was started/);
    await client.create(await client.discovery.resourceOf(bar), bar);
    const watch = client.watch(ConfigMap, { namespace: "default", fieldSelector: "metadata.name=one" });
    assert.deepEqual((await watch.next()).value?.type, "ADDED");
    await dev.said(/^\{"type":"Reconcile","controller":"bar","object":\{.*"key":"default\/one"\}.*"outcome":"Done".*\}\n/m);
    assert.equal(await dev.stop("SIGINT"), 0);
  }
  await ran(["deploy", ...target]);
  await using again = await startDev([...target, "--context", "kaji"]);
  await again.said(/Deployment bars-system\/bars runs the operator on kaji \(https:.*\) already; kaji undeploy removes it\n/);
  assert.equal(await again.stop("SIGINT"), 0);
});

test("on a cluster that is there it is said whose webhooks are not called, also of one that is added later; those that are called are in the way", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "bars", "--kind", "Bar", "--folder", folder, "--yes"]);
  await using cluster = await clusterFor({ folder });
  const target = ["--project", folder, "--kubeconfig", cluster.kubeconfig, "--context", "kaji"] as const;
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "test" });
  await using dev = await startDev([...target, "--output", "json"]);
  await dev.said(/operator bars was started/);
  await ran(["create", "webhook", "--kind", "Bar", "--project", folder, "--yes"]);
  await dev.said(
    / that API server cannot reach this machine: the webhooks of Bar are not called: nothing is defaulted or refused by them \(--webhook-host tells it how\)\n/,
  );
  await dev.said(/operator bars was started/);
  assert.equal(await dev.stop("SIGINT"), 0);
  await client.create(ValidatingWebhookConfiguration, { metadata: { name: "bars" } });
  await using again = await startDev(target);
  await again.said(
    /ValidatingWebhookConfiguration bars has webhooks of the operator called on kaji \(https:.*\) already; kaji undeploy removes it\n/,
  );
  assert.equal(await again.stop("SIGINT"), 0);
});

test("a definition on a cluster that is there never names this machine: versions are converted by the operator that is deployed", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "cars", "--kind", "Car", "--folder", folder, "--yes"]);
  project.write("src/operator.ts", carOperator);
  await using cluster = await clusterFor({ folder });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "test" });
  await using dev = await startDev(["--project", folder, "--kubeconfig", cluster.kubeconfig, "--context", "kaji"]);
  await dev.said(/webhooks can be called: the API server knows their authority now kind=CustomResourceDefinition/);
  assert.equal(await dev.stop("SIGINT"), 0);
  const { conversion } = (await client.get(CustomResourceDefinition, "cars.example.com")).spec;
  const { service, url } = conversion?.webhook?.clientConfig ?? {};
  assert.deepEqual([url, service], [undefined, { namespace: "cars-system", name: "cars-webhook", path: "/convert", port: 443 }]);
});

test("a cluster that is there and can reach this machine calls webhooks here, and has versions converted here, until the end", async () => {
  using project = emptyProject();
  const { folder } = project;
  await ran(["init", "cars", "--kind", "Car", "--folder", folder, "--yes"]);
  const webhooks = `webhooks: [webhook(Car, { validate: (car) => (car.spec.text === "no" ? invalidValue(FieldPath.of("spec", "text"), "no", "is no text") : undefined) })],`;
  const imports = "import { FieldPath, invalidValue, webhook, ";
  project.write("src/operator.ts", carOperator.replace("import { ", imports).replace("conversions:", `${webhooks} conversions:`));
  await using cluster = await clusterFor({ folder });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig, fieldManager: "test" });
  const target = ["--project", folder, "--kubeconfig", cluster.kubeconfig, "--context", "kaji", "--webhook-host", "127.0.0.1"];
  {
    await using dev = await startDev(target);
    await dev.said(/webhooks can be called: .* kind=ValidatingWebhookConfiguration/);
    // It is killed, and cannot take back what it has installed.
  }
  const car = { apiVersion: "example.com/v1", kind: "Car", metadata: { name: "one", namespace: "default" }, spec: { text: "no" } };
  const Car = await client.discovery.resourceOf(car);
  await assert.rejects(client.create(Car, car), /failed calling webhook/);
  {
    await using dev = await startDev(target);
    await dev.said(/what happens is shown at /);
    const refusal = await eventually("the webhook is called", async () => {
      const told = await client.create(Car, car).then(() => "it was created", String);
      return told.includes("failed calling webhook") ? undefined : told;
    });
    assert.match(refusal, /spec\.text: Invalid value: "no": is no text/);
    const { metadata } = await client.create(Car, { ...car, spec: { text: "yes" } });
    const OldCar = await client.discovery.resourceOf({ apiVersion: "example.com/v1alpha1", kind: "Car" });
    assert.deepEqual((await client.get(OldCar, metadata)).metadata.uid, metadata.uid);
    assert.equal(await dev.stop("SIGINT"), 0);
  }
  assert.equal((await client.create(Car, { ...car, metadata: { name: "two", namespace: "default" } })).metadata.name, "two");
  const { conversion } = (await client.get(CustomResourceDefinition, "cars.example.com")).spec;
  const { service, url } = conversion?.webhook?.clientConfig ?? {};
  assert.deepEqual([url, service?.name], [undefined, "cars-webhook"]);
});

test("what is said of a cluster of our own is refused for another, and the other way round", async () => {
  for (const [name = "", ...value] of [
    ["--webhook-host", "127.0.0.1"],
    ["--kubeconfig", "other"],
  ]) {
    const { code, err } = await ran(["dev", name, ...value]);
    assert.deepEqual([code, err], [2, `kaji: ${name} is for the cluster of a --context, and not for one of our own\n`]);
  }
  for (const [name = "", ...value] of [["--fresh"], ["--nodes", "2"], ["--port", "6443"]]) {
    const { code, err } = await ran(["dev", "--context", "kind", name, ...value]);
    assert.deepEqual([code, err], [2, `kaji: ${name} is for a cluster of our own, and not for that of a --context\n`]);
  }
});

test("an operator that cannot be loaded is said before anything is started", async () => {
  using project = emptyProject();
  project.write("package.json", `{ "type": "module" }`);
  project.write("src/operator.ts", "export const operator = undefined;\n");
  const { code, err } = await ran(["dev", "--project", project.folder]);
  assert.deepEqual([code, err], [1, "kaji: src/operator.ts must export the operator: export const operator = defineOperator({ … })\n"]);
  assert.equal(existsSync(join(project.folder, ".kaji")), false);
});

test("that nothing runs the operator is said before anything is started", async () => {
  using project = barProject();
  const { code, err } = await ran(["dev", "--project", project.folder]);
  assert.deepEqual([code, err], [1, "kaji: src/main.ts does not exist; it runs the operator: await runOperator(operator)\n"]);
  assert.equal(existsSync(join(project.folder, ".kaji")), false);
});
