import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { JsonObject, JsonValue } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import type { AdmissionPlugin } from "../admission.ts";
import { openSqliteStorage } from "../storage/sqlite-storage.ts";
import { startCustomServer } from "../testing/custom-server.ts";
import type { CustomServer } from "../testing/custom-server.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = `${crds}/things.example.com`;
const things = "/apis/example.com/v1/things";
const mergePatch = { "content-type": "application/merge-patch+json" };

const folder = mkdtempSync(join(tmpdir(), "kaji-custom-"));
after(() => rmSync(folder, { recursive: true }));

/** A server on which something happens while the object `late` is looked at by the last admission plugin for the first time. */
function interruptedServer(interrupt: (server: CustomServer) => Promise<unknown>): CustomServer {
  let isInterrupted = false;
  const admission: AdmissionPlugin = {
    name: "interruption",
    resources: ["example.com/things"],
    async validate({ object }) {
      if (isInterrupted || object?.metadata.name !== "late") return;
      isInterrupted = true;
      await interrupt(server);
    },
  };
  const server = startCustomServer({ admission: [admission] });
  return server;
}

test("[CRD55] an object that is written while another version becomes the one for storage is kept in that version", async () => {
  await using server = interruptedServer((each) => replaceVersions(each, [version("v1", false), version("v2", true)]));
  await server.call("POST", crds, crd([version("v1", true), version("v2", false)]));
  const { code } = await server.call("POST", things, thing("late"));
  assert.equal(code, 201);
  const { body } = await server.call("GET", `${things.replace("v1", "v2")}/late`);
  assert.equal(body["apiVersion"], "example.com/v2");
  const { body: old } = await server.call("GET", `${things}/late`);
  assert.equal(old["apiVersion"], "example.com/v1");
});

test("[CRD55] so is one that is written while the change itself is on its way to the disk", async () => {
  await using storage = openSqliteStorage(folder, { clock: new ManualClock() });
  await using server = startCustomServer({ storage });
  await server.call("POST", crds, crd([version("v1", true), version("v2", false)]));
  await server.call("POST", things, thing("before"));
  const changed = replaceVersions(server, [version("v1", false), version("v2", true)]);
  while (storage.pending("/registry/apiextensions.k8s.io/customresourcedefinitions/things.example.com") === undefined)
    await Promise.resolve();
  const { code } = await server.call("POST", things, thing("late"));
  await changed;
  assert.equal(code, 201);
  for (const name of ["before", "late"]) {
    assert.equal((await server.call("GET", `${things.replace("v1", "v2")}/${name}`)).body["apiVersion"], "example.com/v2", name);
  }
});

test("[CRD55] an object that is written while its schema changes obeys the new one", async () => {
  const strict = version("v1", true, { size: { type: "integer", default: 3 } });
  await using server = interruptedServer((each) => replaceVersions(each, [strict]));
  await server.call("POST", crds, crd([version("v1", true)]));
  await server.call("POST", things, { ...thing("late"), spec: { color: "red" } });
  assert.deepEqual((await server.call("GET", `${things}/late`)).body["spec"], { size: 3 });
});

test("[CRD55] there is no object of a kind that went while it was written", async () => {
  await using server = interruptedServer(async (each) => {
    await each.call("DELETE", definition);
    await each.clock.advance(0);
    assert.equal((await each.call("GET", definition)).code, 404);
  });
  await server.call("POST", crds, crd([version("v1", true)]));
  await server.clock.advance(0);
  assert.equal((await server.call("POST", things, thing("late"))).code, 404);
  assert.equal(server.storage.count("/registry/example.com/"), 0);
});

test("[CRD60] an object that was let in before its definition was deleted does not keep that from going", async () => {
  await using server = interruptedServer(async (each) => {
    await each.call("DELETE", definition);
    await each.clock.advance(0);
  });
  await server.call("POST", crds, crd([version("v1", true)]));
  await server.clock.advance(0);
  await server.call("POST", things, { ...thing("held"), metadata: { name: "held", finalizers: ["example.com/hold"] } });
  assert.equal((await server.call("POST", things, thing("late"))).code, 201);
  await server.call("PATCH", `${things}/held`, { metadata: { finalizers: null } }, mergePatch);
  await server.clock.advance(0);
  assert.equal((await server.call("GET", definition)).code, 404);
});

function thing(name: string): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name } };
}

function version(name: string, storage: boolean, fields?: JsonObject): JsonObject {
  const spec =
    fields === undefined
      ? { type: "object", "x-kubernetes-preserve-unknown-fields": true }
      : { type: "object", default: {}, properties: fields };
  return { name, served: true, storage, schema: { openAPIV3Schema: { type: "object", properties: { spec } } } };
}

function crd(versions: readonly JsonValue[]): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", scope: "Cluster", names: { plural: "things", kind: "Thing" }, versions },
  };
}

async function replaceVersions(server: CustomServer, versions: readonly JsonValue[]): Promise<void> {
  const { code, body } = await server.call("PATCH", definition, { spec: { versions } }, mergePatch);
  assert.equal(code, 200, JSON.stringify(body["message"]));
}
