import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { conditionsOf, isConditionTrue, isJsonObject, parseJson } from "@kaji/core";
import type { Condition, JsonObject, JsonValue } from "@kaji/core";
import { ManualClock } from "@kaji/core/testing";
import { KindRegistry } from "../kind-registry.ts";
import { createMemoryStorage } from "../storage/memory-storage.ts";
import { startCustomServer } from "../testing/custom-server.ts";
import type { CustomServer } from "../testing/custom-server.ts";
import { widgetKind } from "../testing/widgets.ts";
import { crdStoragePrefix } from "./definition/crd-kind.ts";
import { CustomKinds } from "./custom-kinds.ts";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const things = "/apis/example.com/v1/namespaces/default/things";

suite("coming", () => {
  test("[CRD40] objects can be created as soon as the definition is", async () => {
    await using server = startCustomServer();
    const created = await server.call("POST", crds, crd());
    assert.equal(created.code, 201);
    assert.deepEqual(created.body["status"], { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: ["v1"] });
    assert.equal((await server.call("POST", things, thing("a"))).code, 201);
  });

  test("[CRD40] nobody reads that a kind is established before it is served", async () => {
    await using server = startCustomServer();
    const served: boolean[] = [];
    using _events = server.storage.subscribe(crdStoragePrefix, server.storage.currentRevision, (event) => {
      if (event.type !== "Put" || !isEstablished(parseJson(Buffer.from(event.entry.bytes).toString()))) return;
      served.push(server.server.kinds.find("example.com", "v1", "things") !== undefined);
    });
    await server.call("POST", crds, crd());
    await server.clock.advance(0);
    assert.deepEqual(served, [true]);
    assert.deepEqual(await conditions(server), ["NamesAccepted True NoConflicts", "Established True InitialNamesAccepted"]);
  });

  test("[CRD41] a kind whose name is taken is not served until the name is free", async () => {
    await using server = startCustomServer();
    await server.call("POST", crds, crd());
    await server.call("POST", crds, crd({ plural: "others" }));
    await server.clock.advance(0);
    assert.deepEqual(await conditions(server, "others.example.com"), [
      "NamesAccepted False ListKindConflict",
      "Established False NotAccepted",
    ]);
    assert.equal((await server.call("GET", things.replace("things", "others"))).code, 404);
    await server.call("DELETE", `${crds}/things.example.com`);
    await server.clock.advance(0);
    assert.deepEqual(await conditions(server, "others.example.com"), [
      "NamesAccepted True NoConflicts",
      "Established True InitialNamesAccepted",
    ]);
    assert.equal((await server.call("GET", things.replace("things", "others"))).code, 200);
  });

  test("[CRD44] what is built in stays as it is, whatever is defined", async () => {
    await using server = startCustomServer({ kinds: [widgetKind()] });
    const { kinds } = server.server;
    const builtIn = kinds.get("example.com", "widgets");
    await server.call("POST", crds, crd({ plural: "widgets", kind: "Widget", listKind: "WidgetList", singular: "widget" }));
    await server.clock.advance(0);
    assert.equal(kinds.get("example.com", "widgets"), builtIn);
    await server.call("DELETE", `${crds}/widgets.example.com`);
    await server.clock.advance(0);
    assert.equal(kinds.get("example.com", "widgets"), builtIn);
    assert.equal((await server.call("GET", `${crds}/widgets.example.com`)).code, 404);
  });

  test("[CRD45] definitions in storage are served from the start, and those in between are finished", async () => {
    const storage = createMemoryStorage({ clock: new ManualClock() });
    {
      await using server = startCustomServer({ storage });
      await server.call("POST", crds, crd());
      await server.call("POST", things, thing("a"));
    }
    await using again = startCustomServer({ storage });
    assert.equal((await again.call("GET", `${things}/a`)).code, 200);
    await again.clock.advance(0);
    assert.deepEqual(await conditions(again), ["NamesAccepted True NoConflicts", "Established True InitialNamesAccepted"]);
    await storage.close();
  });

  test("[CRD46] a status that cannot be written is tried again; the kind is served meanwhile", async () => {
    const clock = new ManualClock();
    const storage = createMemoryStorage({ clock });
    const kinds = new KindRegistry();
    const errors: string[] = [];
    let isDown = true;
    const written: string[] = [];
    await using _custom = new CustomKinds({
      storage,
      kinds,
      clock,
      objects: { deleteAll: async () => {} },
      watches: { endAll: () => {} },
      crds: {
        async updateStatus(name) {
          if (isDown) throw new Error("the disk is full");
          written.push(name);
        },
      },
      tell: ({ error, object }) => errors.push(`${object}: ${String(error)}`),
    });
    const bytes = Buffer.from(JSON.stringify(crd()));
    await storage.put(`${crdStoragePrefix}things.example.com`, 0, () => bytes);
    assert.ok(kinds.get("example.com", "things") !== undefined);
    await clock.advance(1000);
    assert.deepEqual(errors, ["things.example.com: Error: the disk is full"]);
    isDown = false;
    await clock.advance(1000);
    assert.deepEqual(written, ["things.example.com"]);
  });
});

suite("changing", () => {
  test("[CRD50] objects are read by the present schema, whenever they were written", async () => {
    await using server = startCustomServer();
    await server.call("POST", crds, crd());
    await server.call("POST", things, thing("a", { size: 1, color: "red" }));
    await changeCrd(server, (spec) => ({
      ...spec,
      versions: [version({ size: { type: "integer" }, weight: { type: "integer", default: 7 } })],
    }));
    assert.deepEqual(await specOf(server, "a"), { size: 1, weight: 7 });
    await server.call("POST", things, thing("b", { size: 2, color: "red" }));
    assert.deepEqual(await specOf(server, "b"), { size: 2, weight: 7 });
  });

  test("[CRD51] watches end when a kind is served otherwise than before, not when its status is written", async () => {
    await using server = startCustomServer();
    await server.call("POST", crds, crd());
    const watch = await openWatch(server);
    await server.clock.advance(0);
    assert.equal(watch.isOpen(), true);
    await changeCrd(server, (spec) => ({ ...spec, versions: [version({ size: { type: "integer" } })] }));
    await server.clock.advance(0);
    assert.equal(watch.isOpen(), false);
  });

  test("[CRD52] names that are added are served, and accepted", async () => {
    await using server = startCustomServer();
    await server.call("POST", crds, crd());
    await changeCrd(server, (spec) => ({ ...spec, names: { ...recordOf(spec["names"]), shortNames: ["th"], categories: ["all"] } }));
    await server.clock.advance(0);
    assert.deepEqual(server.server.kinds.get("example.com", "things")?.shortNames, ["th"]);
    const { body } = await server.call("GET", `${crds}/things.example.com`);
    const accepted = recordOf(recordOf(body["status"])["acceptedNames"]);
    assert.deepEqual([accepted["shortNames"], accepted["categories"]], [["th"], ["all"]]);
  });

  test("[CRD53] a version that is no longer served is gone", async () => {
    await using server = startCustomServer();
    const versions = [version({}), { ...version({}), name: "v2", storage: false }];
    await server.call("POST", crds, crd({}, versions));
    assert.equal((await server.call("GET", things.replace("v1", "v2"))).code, 200);
    await changeCrd(server, (spec) => ({
      ...spec,
      versions: [version({}), { ...version({}), name: "v2", storage: false, served: false }],
    }));
    assert.equal((await server.call("GET", things.replace("v1", "v2"))).code, 404);
    assert.equal((await server.call("GET", things)).code, 200);
  });
});

test("[CRD54] what was written before the schema had a default, or lost a field, is stored anew by a write that changes nothing, and only by the first", async () => {
  await using server = startCustomServer();
  await server.call("POST", crds, crd());
  for (const [name, spec] of Object.entries({ a: {}, b: { color: "red", size: 1 }, c: { size: 1 } })) {
    await server.call("POST", things, thing(name, spec));
  }
  await changeCrd(server, (spec) => ({ ...spec, versions: [version({ size: { type: "integer", default: 3 } })] }));
  const revisionOf = async (name: string): Promise<JsonValue | undefined> =>
    recordOf((await server.call("GET", `${things}/${name}`)).body["metadata"])["resourceVersion"];
  const moves = async (name: string): Promise<boolean> => {
    const before = await revisionOf(name);
    await server.call("PATCH", `${things}/${name}`, {}, { "content-type": "application/merge-patch+json" });
    return (await revisionOf(name)) !== before;
  };
  for (const [name, expected] of Object.entries({ a: true, b: true, c: false })) {
    assert.deepEqual([await moves(name), await moves(name)], [expected, false], name);
  }
});

test("[CRD54] what is kept in a version that is no longer the one for storage is stored anew by a write that changes nothing, and only by the first", async () => {
  await using server = startCustomServer();
  const both = (stored: string): readonly JsonValue[] => ["v1", "v2"].map((name) => ({ ...version({}), name, storage: name === stored }));
  await server.call("POST", crds, crd({}, both("v1")));
  await server.clock.advance(0);
  for (const name of ["a", "b"]) await server.call("POST", things, thing(name));
  await changeCrd(server, (spec) => ({ ...spec, versions: both("v2") }));
  await server.clock.advance(0);
  const patched = async (spoken: string, name: string): Promise<JsonObject> => {
    const path = `${things.replace("v1", spoken)}/${name}`;
    return recordOf((await server.call("PATCH", path, {}, { "content-type": "application/merge-patch+json" })).body["metadata"]);
  };
  const keptVersion = (name: string): JsonValue | undefined => {
    const entry = server.storage.get(`/registry/example.com/things/default/${name}`);
    return recordOf(parseJson(Buffer.from(entry?.bytes ?? []).toString()))["apiVersion"];
  };
  for (const [spoken, name] of [
    ["v2", "a"],
    ["v1", "b"],
  ] as const) {
    assert.equal(keptVersion(name), "example.com/v1");
    const before = recordOf((await server.call("GET", `${things}/${name}`)).body["metadata"]);
    const first = await patched(spoken, name);
    assert.notEqual(first["resourceVersion"], before["resourceVersion"]);
    assert.deepEqual([keptVersion(name), first["generation"], first["managedFields"]], ["example.com/v2", 1, before["managedFields"]]);
    assert.deepEqual(await patched(spoken, name), first);
  }
});

suite("going", () => {
  test("[CRD60] a definition goes when its objects are gone; meanwhile there are no new ones", async () => {
    await using server = startCustomServer();
    await server.call("POST", crds, crd());
    await server.clock.advance(0);
    await server.call("POST", things, thing("free"));
    const held = thing("held");
    await server.call("POST", things, { ...held, metadata: { ...recordOf(held["metadata"]), finalizers: ["example.com/hold"] } });
    const watch = await openWatch(server);

    const deleted = await server.call("DELETE", `${crds}/things.example.com`);
    assert.equal(deleted.code, 200);
    assert.deepEqual(recordOf(deleted.body["metadata"])["finalizers"], ["customresourcecleanup.apiextensions.k8s.io"]);
    assert.equal(recordOf(deleted.body["metadata"])["generation"], 1);
    await server.clock.advance(0);
    assert.deepEqual((await conditions(server))[2], "Terminating True InstanceDeletionInProgress");
    assert.equal((await server.call("GET", `${things}/free`)).code, 404);
    assert.equal((await server.call("GET", `${things}/held`)).code, 200);
    const refused = await server.call("POST", things, thing("new"));
    assert.equal(refused.code, 403);
    assert.equal(
      refused.body["message"],
      'things.example.com "new" is forbidden: create not allowed while custom resource definition is terminating',
    );
    assert.equal(watch.isOpen(), true);

    await server.call("PATCH", `${things}/held`, { metadata: { finalizers: null } }, { "content-type": "application/merge-patch+json" });
    await server.clock.advance(0);
    assert.equal((await server.call("GET", `${crds}/things.example.com`)).code, 404);
    assert.equal((await server.call("GET", things)).code, 404);
    assert.equal(watch.isOpen(), false);
  });

  test("[CRD61] a definition can come again under the same name", async () => {
    await using server = startCustomServer();
    await server.call("POST", crds, crd());
    await server.call("POST", things, thing("a"));
    await server.call("DELETE", `${crds}/things.example.com`);
    await server.clock.advance(0);
    assert.equal((await server.call("POST", crds, crd())).code, 201);
    assert.deepEqual((await server.call("GET", things)).body["items"], []);
  });

  test("[CRD62] a definition that was never established goes without further ado", async () => {
    await using server = startCustomServer();
    await server.call("POST", crds, crd());
    await server.call("POST", crds, crd({ plural: "others" }));
    await server.clock.advance(0);
    await server.call("DELETE", `${crds}/others.example.com`);
    await server.clock.advance(0);
    assert.equal((await server.call("GET", `${crds}/others.example.com`)).code, 404);
    assert.equal((await server.call("GET", things)).code, 200);
  });

  test("[CRD60] objects that no served version reaches go, too", async () => {
    await using server = startCustomServer();
    await server.call("POST", crds, crd());
    await server.call("POST", things, thing("a"));
    await changeCrd(server, (spec) => ({ ...spec, versions: [{ ...version({}), served: false }] }));
    await server.clock.advance(0);
    await server.call("DELETE", `${crds}/things.example.com`);
    await server.clock.advance(0);
    assert.equal((await server.call("GET", `${crds}/things.example.com`)).code, 404);
    assert.equal(server.storage.count("/registry/example.com/things/"), 0);
  });

  test("[CRD63] a deletion that was interrupted is finished after a restart", async () => {
    const storage = createMemoryStorage({ clock: new ManualClock() });
    {
      await using server = startCustomServer({ storage });
      await server.call("POST", crds, crd());
      await server.clock.advance(0);
      const held = thing("held");
      await server.call("POST", things, { ...held, metadata: { ...recordOf(held["metadata"]), finalizers: ["example.com/hold"] } });
      await server.call("DELETE", `${crds}/things.example.com`);
      await server.clock.advance(0);
    }
    await using again = startCustomServer({ storage });
    await again.call("PATCH", `${things}/held`, { metadata: { finalizers: null } }, { "content-type": "application/merge-patch+json" });
    await again.clock.advance(0);
    assert.equal((await again.call("GET", `${crds}/things.example.com`)).code, 404);
    await storage.close();
  });

  test("[CRD64] nothing is left when it is disposed of", async () => {
    const server = startCustomServer();
    await server.call("POST", crds, crd());
    await server.call("POST", things, { ...thing("held"), metadata: { name: "held", finalizers: ["example.com/hold"] } });
    await server.call("DELETE", `${crds}/things.example.com`);
    await server[Symbol.asyncDispose]();
    assert.equal(server.clock.pending, 0);
  });
});

function crd(
  names: Readonly<Record<string, string>> = {},
  versions: readonly JsonValue[] = [version({ size: { type: "integer" }, color: { type: "string" } })],
): JsonObject {
  const { plural = "things" } = names;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural, kind: "Thing", singular: `${plural}-one`, listKind: "ThingList", ...names },
      versions,
    },
  };
}

function version(properties: JsonObject): JsonObject {
  const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } };
  return { name: "v1", served: true, storage: true, schema };
}

function thing(name: string, spec: JsonObject = {}): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, spec };
}

async function changeCrd(server: CustomServer, change: (spec: JsonObject) => JsonObject): Promise<void> {
  const { body } = await server.call("GET", `${crds}/things.example.com`);
  const changed = await server.call("PUT", `${crds}/things.example.com`, { ...body, spec: change(recordOf(body["spec"])) });
  assert.equal(changed.code, 200, JSON.stringify(changed.body));
}

async function specOf(server: CustomServer, name: string): Promise<JsonValue | undefined> {
  return (await server.call("GET", `${things}/${name}`)).body["spec"];
}

async function conditions(server: CustomServer, name = "things.example.com"): Promise<readonly string[]> {
  const { body } = await server.call("GET", `${crds}/${name}`);
  return conditionsIn(body).map(({ type, status, reason }) => `${type} ${status} ${reason}`);
}

function isEstablished(value: JsonValue): boolean {
  return isConditionTrue(conditionsIn(value), "Established");
}

function conditionsIn(value: JsonValue): readonly Condition[] {
  return conditionsOf(recordOf(recordOf(value)["status"])["conditions"]);
}

function recordOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A watch of things, read in the background. */
async function openWatch(server: CustomServer): Promise<{ isOpen(): boolean }> {
  const response = await server.server.transport()({ method: "GET", path: `${things}?watch=true`, headers: {} });
  assert.equal(response.status, 200);
  let isOpen = true;
  const read = async (): Promise<void> => {
    for await (const _piece of response.body);
    isOpen = false;
  };
  void read();
  return { isOpen: () => isOpen };
}
