import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { systemClock } from "@kaji/core";
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@kaji/types/admissionregistration/v1";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ServiceAccount } from "@kaji/types/core/v1";
import { ClusterRole, ClusterRoleBinding } from "@kaji/types/rbac/v1";
import { ChangeReport } from "../deploy/change-report.ts";
import { run } from "../program.ts";
import { clusterFor } from "../testing/project-cluster.ts";
import { Car, carProject, inCarProject, makeOldCars, resourceVersions, storedVersions } from "../testing/old-cars.ts";
import { emptyProject } from "../testing/test-project.ts";
import { migrateStorage, migrationOf, writeAnew } from "./storage-migration.ts";
import { lookAtStorageVersion } from "./storage-version.ts";

/** A cluster with Cars that were stored in the old version, of a definition that stores the new one. */
async function withOldCars(count: number, work: (kubeconfig: string, client: KubeClient) => Promise<void>): Promise<void> {
  using folder = emptyProject();
  await using cluster = await clusterFor(folder, { controllers: [], nodes: 0 });
  const { kubeconfig } = cluster;
  await using client = await createClient({ kubeconfig });
  await makeOldCars(count, kubeconfig, client);
  await work(kubeconfig, client);
}

test("objects that are stored in an old version are written anew once, and then that version can go", () =>
  withOldCars(12, async (kubeconfig, client) => {
    const both = ["v1", "v1alpha1"];
    const early = await inCarProject(["v1"], kubeconfig, "install");
    assert.match(
      early.err,
      / refused Car: status\.storedVersions\[0\]: .*"v1alpha1".*; keep that version among its versions until kaji migrate has written its objects anew; or kubectl delete crd cars\.example\.com makes room for the new definition, and removes all objects of the old one\n$/,
    );
    assert.match(
      (await inCarProject(both, kubeconfig, "doctor")).out,
      /^ok {7}versions of Car: are v1, v1alpha1; stored in v1alpha1, v1, of which kaji migrate leaves the present one$/m,
    );

    const before = await resourceVersions(client);
    const tried = await inCarProject(both, kubeconfig, "migrate", "--dry-run");
    assert.deepEqual([tried.code, await resourceVersions(client), await storedVersions(client)], [0, before, ["v1alpha1", "v1"]]);

    const done = await inCarProject(both, kubeconfig, "migrate", "Car");
    assert.equal(done.out.split("\n")[0], "changed   CustomResourceDefinition cars.example.com: 12 Cars written anew, stored in v1 alone");
    assert.deepEqual([done.code, done.err, await storedVersions(client)], [0, "", ["v1"]]);
    const after = await resourceVersions(client);
    assert.ok(after.every((version, index) => version !== before[index]));
    const { metadata } = await client.get(Car, "default/car-0");
    assert.deepEqual([metadata.generation, metadata.managedFields?.length], [1, 1]);

    const again = await inCarProject(both, kubeconfig, "migrate", "--output", "json");
    assert.deepEqual(JSON.parse(again.out)[0].change, "unchanged");
    assert.deepEqual(await resourceVersions(client), after);
    assert.equal((await inCarProject(["v1"], kubeconfig, "install")).code, 0);
  }));

test("stopped half way, it leaves the definition as it is, and a further run finishes", () =>
  withOldCars(25, async (kubeconfig, client) => {
    using project = carProject(["v1", "v1alpha1"]);
    const parameters = ["migrate", "--project", project.folder, "--kubeconfig", kubeconfig];
    const abort = new AbortController();
    const session = { client, cluster: "test", clock: systemClock, signal: abort.signal };
    const cars = (await client.list(Car)).items.map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }));
    const stop = (): void => abort.abort(new Error("stopped"));
    await assert.rejects(writeAnew(session, Car, cars, stop), /stopped/);
    assert.deepEqual(await storedVersions(client), ["v1alpha1", "v1"]);
    let said = "";
    assert.equal(await run(parameters, { out: (text) => (said += text), err: () => {} }), 0);
    assert.match(said, /: 25 Cars written anew, stored in v1 alone$/m);
    assert.deepEqual(await storedVersions(client), ["v1"]);
  }));

test("what takes longer says how far it is, and what the server does not store yet is waited for", () =>
  withOldCars(12, async (_kubeconfig, client) => {
    let [ms, err] = [0, ""];
    const clock = { ...systemClock, monotonic: () => (ms += 3000) };
    const session = { client, cluster: "test", clock, signal: new AbortController().signal };
    const migration =
      migrationOf(await client.get(CustomResourceDefinition, "cars.example.com")) ?? assert.fail("there is nothing to migrate");
    assert.deepEqual(await lookAtStorageVersion(session, migration), { done: true });
    const state = "waiting for the API server to store cars in v2";
    assert.deepEqual(await lookAtStorageVersion(session, { ...migration, storage: "v2" }), { done: false, state });
    const report = new ChangeReport({ out: () => {}, err: (text) => (err += text) }, "text");
    assert.equal(await migrateStorage(session, migration, report), "12 Cars written anew, stored in v1 alone");
    assert.equal(err, "10 of 12 Cars written anew\n12 of 12 Cars written anew\n");
  }));

test("a definition that was changed while its objects were written goes on to have all versions", () =>
  withOldCars(1, async (kubeconfig, client) => {
    const session = { client, cluster: "test", clock: systemClock, signal: new AbortController().signal };
    const migration =
      migrationOf(await client.get(CustomResourceDefinition, "cars.example.com")) ?? assert.fail("there is nothing to migrate");
    assert.equal((await inCarProject(["v1alpha1", "v1"], kubeconfig, "install")).code, 0);
    const report = new ChangeReport({ out: () => {}, err: () => {} }, "text");
    await assert.rejects(
      migrateStorage(session, migration, report),
      /cars\.example\.com was changed while its objects were written; run it again/,
    );
    assert.deepEqual(await storedVersions(client), ["v1alpha1", "v1"]);
  }));

test("what is gone meanwhile needs no writing; what is refused is named, and the definition goes on to have both versions", () =>
  withOldCars(2, async (kubeconfig, client) => {
    const session = { client, cluster: "test", clock: systemClock, signal: new AbortController().signal };
    const cars = ["car-0", "gone"].map((name) => ({ namespace: "default", name }));
    assert.deepEqual(await writeAnew(session, Car, cars), { written: 1, refused: [] });

    await client.create(ValidatingAdmissionPolicy, {
      metadata: { name: "frozen" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ["example.com"], apiVersions: ["*"], operations: ["UPDATE"], resources: ["cars"] }],
        },
        validations: [{ expression: "object.metadata.name != 'car-1'", message: "car-1 is frozen" }],
      },
    });
    await client.create(ValidatingAdmissionPolicyBinding, {
      metadata: { name: "frozen" },
      spec: { policyName: "frozen", validationActions: ["Deny"] },
    });
    const { code, err } = await inCarProject(["v1", "v1alpha1"], kubeconfig, "migrate");
    assert.equal(code, 1);
    assert.match(err, /^kaji: 1 Car of 2 could not be written anew: default\/car-1: .*car-1 is frozen.*; mend them, and run it again\n$/);
    assert.deepEqual(await storedVersions(client), ["v1alpha1", "v1"]);
  }));

test("a user who may not is told what is missing before anything is written", () =>
  withOldCars(1, async (kubeconfig, client) => {
    const before = await resourceVersions(client);
    using folder = emptyProject();
    const reader = join(folder.folder, "reader");
    await client.create(ClusterRole, {
      metadata: { name: "reader" },
      rules: [{ apiGroups: ["apiextensions.k8s.io", "example.com"], resources: ["*"], verbs: ["get", "list"] }],
    });
    const subjects = [{ kind: "ServiceAccount", name: "reader", namespace: "default" }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "reader" };
    await client.create(ClusterRoleBinding, { metadata: { name: "reader" }, subjects, roleRef });
    await client.create(ServiceAccount, { metadata: { name: "reader", namespace: "default" } });
    const { status } = await client.createToken("default/reader");
    const text = readFileSync(kubeconfig, "utf8").replaceAll(/ {6}client-.*\n/g, "");
    writeFileSync(reader, text.replace("    user:\n", `    user:\n      token: ${status?.token}\n`));
    const { code, err } = await inCarProject(["v1", "v1alpha1"], reader, "migrate");
    assert.equal(code, 1);
    assert.match(
      err,
      /^kaji: .*: you may not patch cars, update customresourcedefinitions\/status; use a context of a user who may, or ask for the permission\n$/,
    );
    assert.deepEqual(await resourceVersions(client), before);
  }));

test("a kind that the operator has not is said with those that it has", async () => {
  assert.equal((await inCarProject(["v1"], "nowhere", "migrate", "Truck")).err, "kaji: cars has no resource Truck; there is Car\n");
});
