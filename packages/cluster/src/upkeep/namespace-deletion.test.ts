import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import { bodyFromBytes } from "@kaji/core";
import type { JsonObject, JsonValue, Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { createApiServer } from "../create-api-server.ts";
import { objectField, objectsField, stringField } from "../kinds/json-fields.ts";
import { apiServices, remoteService } from "../testing/remote-service.ts";
import { LocalApi } from "./local-api.ts";
import { NamespaceController } from "./namespace-controller.ts";

test("[NS3] objects of extension servers go with their namespace, together or one by one, and are waited for", async () => {
  const things = new ThingServer();
  await using rig = await startRig(things);
  things.objects.set("/apis/things.example.com/v1/namespaces/ends/things/a", {});
  things.objects.set("/apis/things.example.com/v1/namespaces/ends/parts/b", {});
  things.objects.set("/apis/things.example.com/v1/namespaces/ends/parts/c", { finalizers: ["example.com/hold"] });
  things.objects.set("/apis/things.example.com/v1/namespaces/stays/parts/d", {});
  await rig.end("ends");
  assert.deepEqual(
    [...things.objects.keys()].map((path) => path.slice(-1)),
    ["c", "d"],
  );
  assert.deepEqual(await rig.trouble("ends"), [
    "Some resources are remaining: parts.things.example.com has 1 resource instances",
    "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances",
  ]);
  things.objects.set("/apis/things.example.com/v1/namespaces/ends/parts/c", {});
  await rig.pass();
  await assert.rejects(rig.api.send("GET", "/api/v1/namespaces/ends"), { code: 404 });
  assert.equal(things.objects.size, 1);
});

test("[NS3] while an extension server does not answer, the namespace stays, and says why", async () => {
  const things = new ThingServer();
  await using rig = await startRig(things);
  things.isUp = false;
  await rig.end("ends");
  assert.deepEqual(await rig.trouble("ends"), [
    "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: things.example.com/v1: stale GroupVersion discovery: things.example.com/v1",
  ]);
  things.isUp = true;
  await rig.pass();
  await assert.rejects(rig.api.send("GET", "/api/v1/namespaces/ends"), { code: 404 });
});

test("[NS3] what an extension server refuses to delete, or answers otherwise, is said too, and keeps nothing else from going", async () => {
  const things = new ThingServer();
  await using rig = await startRig(things);
  things.objects.set("/apis/things.example.com/v1/namespaces/ends/parts/b", {});
  things.refusal = JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code: 403,
    reason: "Forbidden",
    message: "parts are kept",
  });
  await rig.api.send("POST", "/api/v1/namespaces/ends/configmaps", { metadata: { name: "a" } });
  await rig.end("ends");
  assert.deepEqual(await rig.trouble("ends"), ["Failed to delete all resource types, 1 remaining: parts are kept"]);
  assert.deepEqual(objectsField(await rig.api.send("GET", "/api/v1/namespaces/ends/configmaps"), "items"), []);
  things.refusal = "<html>";
  await rig.pass();
  const [said = ""] = await rig.trouble("ends");
  assert.match(said, /^Failed to delete all resource types, 1 remaining: an error on the server \("<html>"\) has prevented/);
});

test("[NS3] an extension server that does not come to an end keeps no new namespace waiting", async () => {
  const things = new ThingServer();
  await using rig = await startRig(things);
  const { promise: answered, resolve: answerAll } = Promise.withResolvers<void>();
  things.answered = answered;
  await rig.api.send("DELETE", "/api/v1/namespaces/ends");
  await rig.api.send("POST", "/api/v1/namespaces", { metadata: { name: "new" } });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await rig.api.send("GET", "/api/v1/namespaces/new/serviceaccounts/default");
  answerAll();
  await rig.pass();
  await assert.rejects(rig.api.send("GET", "/api/v1/namespaces/ends"), { code: 404 });
});

/** An extension server in memory with two kinds; objects of one can only be deleted one by one. */
class ThingServer {
  /** Their metadata, by path. */
  readonly objects = new Map<string, JsonObject>();
  isUp = true;
  answered: Promise<void> = Promise.resolve();
  refusal: string | undefined;

  readonly transport: Transport = async ({ method, path }) => {
    await this.answered;
    if (!this.isUp) throw Object.assign(new Error("down"), { code: "ECONNREFUSED", address: "192.0.2.7", port: 1 });
    const [place = ""] = path.split("?");
    if (place === "/apis/things.example.com/v1") return answer(200, { kind: "APIResourceList", resources: kinds });
    if (method === "DELETE" && place.includes("/parts") && this.refusal !== undefined) return answer(403, this.refusal);
    const below = [...this.objects].filter(([each]) => each === place || each.startsWith(`${place}/`));
    if (method === "GET") return answer(200, { kind: "List", items: below.map(([each, metadata]) => itemOf(each, metadata)) });
    for (const [each, { finalizers }] of below) if (finalizers === undefined) this.objects.delete(each);
    return answer(200, { kind: "Status", status: "Success" });
  };
}

const verbs = ["create", "delete", "get", "list"];
const kinds: JsonValue = [
  { name: "things", singularName: "thing", namespaced: true, kind: "Thing", verbs: [...verbs, "deletecollection"] },
  { name: "things/status", singularName: "", namespaced: true, kind: "Thing", verbs: ["get"] },
  { name: "parts", singularName: "part", namespaced: true, kind: "Part", verbs },
];

function itemOf(path: string, metadata: JsonObject): JsonObject {
  return { metadata: { ...metadata, name: path.slice(path.lastIndexOf("/") + 1) } };
}

async function answer(status: number, body: JsonObject | string): ReturnType<Transport> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: { "content-type": "application/json" }, body: bodyFromBytes(Buffer.from(text)) };
}

async function startRig(things: ThingServer) {
  const clock = new ManualClock();
  const inProcess = new Map([["https://server.ext.svc", things.transport]]);
  const server = createApiServer({ storage: createMemoryStorage({ clock }), clock, random: seededRandom(1), extensions: { inProcess } });
  const api = new LocalApi(server.transport(), "test");
  const controller = server.use(new NamespaceController(server, api, "authority"));
  for (const name of ["ends", "stays"]) await api.send("POST", "/api/v1/namespaces", { metadata: { name } });
  await api.send("POST", apiServices, remoteService);
  await controller.settled();
  return {
    api,
    async end(name: string): Promise<void> {
      await api.send("DELETE", `/api/v1/namespaces/${name}`);
      await controller.settled();
    },
    /** Lets as much time pass as it takes to try again. */
    async pass(): Promise<void> {
      await clock.advance(1000);
      await controller.settled();
    },
    /** What the conditions complain of. */
    async trouble(name: string): Promise<readonly string[]> {
      const conditions = objectsField(objectField(await api.send("GET", `/api/v1/namespaces/${name}`), "status"), "conditions");
      return conditions.filter(({ status }) => status === "True").map((condition) => stringField(condition, "message"));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
