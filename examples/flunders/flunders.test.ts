import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createClient, httpTransport, loadConfig } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { startControlPlane } from "@kaji/cluster";
import type { ControlPlane } from "@kaji/cluster";
import { APIService } from "@kaji/types/apiregistration/v1";
import { ClusterRole, RoleBinding } from "@kaji/types/rbac/v1";
import type { Transport } from "kaji";
import { Catch } from "./catch.ts";
import { Flunder } from "./flunder.ts";
import { startFlunders } from "./start-flunders.ts";

/** Endpoints may not be loopback addresses, so that the test needs another one of this machine. */
const address = Object.values(networkInterfaces())
  .flatMap((list = []) => list)
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
const needsNetwork = { skip: address === undefined ? "this machine has no address but loopback" : false };

test("an extension server serves its kinds through the main server, and survives its own restart", needsNetwork, async (t) => {
  const folder = await temporaryFolder(t);
  await using main = await startMain(folder);
  await using mainServer = await transportTo(main);
  await using client = await createClient({ kubeconfig: main.kubeconfig, fieldManager: "test" });
  const start = () => startFlunders({ mainServer, address: address ?? "", folder: join(folder, "flunders") });
  const metadata = { name: "fred", namespace: "default" };
  {
    await using _flunders = await start();
    await untilAvailable(client);
    const created = await client.create(Flunder, { metadata, spec: { reference: "wilma" } });
    assert.equal(created.spec.referenceType, "Flunder", "the extension server fills in defaults");
    assert.equal((await client.get(Catch, { name: "today", namespace: "default" })).spec.flunders, 1);
    await assert.rejects(client.create(Flunder, { metadata: { ...metadata, name: "bad" }, spec: { reference: "" } }), /spec\.reference/);
    const watched = client.watch(Flunder, { namespace: "default", resourceVersion: created.metadata.resourceVersion ?? "" });
    await client.apply(Flunder, { metadata, spec: { reference: "barney" } }, { force: true });
    const { value } = await watched.next();
    assert.partialDeepStrictEqual(value, { type: "MODIFIED", object: { spec: { reference: "barney" } } });
    await watched.return(undefined);
  }
  await assert.rejects(client.list(Flunder), /service unavailable|error trying to reach service/);
  {
    await using _flunders = await start();
    await untilAvailable(client);
    assert.equal((await client.get(Flunder, metadata)).spec.reference, "barney");
    await client.delete(Flunder, metadata);
    assert.deepEqual((await client.list(Catch)).items, []);
  }
});

test("the main server decides who may do what, and nobody can pretend to be somebody else", needsNetwork, async (t) => {
  const folder = await temporaryFolder(t);
  await using main = await startMain(folder);
  await using mainServer = await transportTo(main);
  await using client = await createClient({ kubeconfig: main.kubeconfig });
  await using _flunders = await startFlunders({ mainServer, address: address ?? "" });
  await untilAvailable(client);
  const list = (headers: Readonly<Record<string, string>>) => statusOf(mainServer, "/apis/wardle.example.com/v1alpha1/flunders", headers);
  assert.equal(await list({}), 200);
  assert.equal(await list({ "impersonate-user": "bob" }), 403);
  const smuggled = { "impersonate-user": "bob", "x-remote-user": "admin", "x-remote-group": "system:masters" };
  assert.equal(await list(smuggled), 403, "headers of a client do not say who it is");

  await client.create(ClusterRole, {
    metadata: { name: "fisher" },
    rules: [{ apiGroups: ["wardle.example.com"], resources: ["flunders"], verbs: ["list"] }],
  });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "fisher" };
  const subjects = [{ kind: "User", name: "carol", apiGroup: "rbac.authorization.k8s.io" }];
  await client.create(RoleBinding, { metadata: { name: "fisher", namespace: "default" }, roleRef, subjects });
  const inDefault = "/apis/wardle.example.com/v1alpha1/namespaces/default/flunders";
  assert.equal(await statusOf(mainServer, inDefault, { "impersonate-user": "carol" }), 200);
  assert.equal(await statusOf(mainServer, `${inDefault}/fred`, { "impersonate-user": "carol" }), 403);
});

function startMain(folder: string): Promise<ControlPlane> {
  return startControlPlane({ folder: join(folder, "main"), storage: "memory", controllers: [], nodes: [] });
}

async function transportTo({ kubeconfig }: ControlPlane): Promise<Transport & AsyncDisposable> {
  return httpTransport((await loadConfig({ kubeconfig })).connection);
}

async function statusOf(transport: Transport, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { status, body } = await transport({ method: "GET", path, headers });
  for await (const _ of body);
  return status;
}

async function untilAvailable(client: KubeClient): Promise<void> {
  for await (const event of client.watch(APIService, { fieldSelector: "metadata.name=v1alpha1.wardle.example.com" })) {
    if (event.type === "BOOKMARK") continue;
    if (event.object.status?.conditions?.some(({ reason }) => reason === "Passed")) return;
  }
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kaji-flunders-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}
