import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyText } from "@kaji/core";
import type { JsonObject, JsonValue, Transport } from "@kaji/core";
import { eventually } from "@kaji/core/testing";
import { onBothServers } from "./on-both-servers.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const things = "/apis/example.com/v1/things";
const first = { observedGeneration: -1, phase: "New" };
const refused = 'Thing.example.com "strict" is invalid: <nil>: Invalid value: it has a status';

test("[CRD56] the default of a status is there from the start, and stored by the next write, as on a real kube-apiserver", async () => {
  assert.deepEqual(await onBothServers(play), [
    { what: "created in a dry run", status: first },
    { what: "created", status: first },
    { what: "patched with nothing", status: first, isNewer: true },
    { what: "patched with nothing again", status: first, isNewer: false },
    { what: "status dropped", status: first, isNewer: false },
    { what: "applied", status: first },
    { what: "applied again", status: first, isNewer: true },
    { what: "applied once more", status: first, isNewer: false },
    { what: "status set", status: { observedGeneration: 1, phase: "New" }, isNewer: true },
    { what: "created under a rule", status: first },
    { what: "changed under a rule", message: refused },
  ]);
});

interface Told {
  readonly what: string;
  readonly status?: JsonValue | undefined;
  /** Whether it was written since the answer before. */
  readonly isNewer?: boolean;
  readonly message?: string | undefined;
}

async function play(send: Transport): Promise<readonly Told[]> {
  await ask(send, "POST", definitions, "application/json", definition);
  await eventually("things are served", async () => (await send({ method: "GET", path: things, headers: {} })).status === 200);
  const told: Told[] = [];
  const revisions = new Map<string, string>();
  const tell = async (what: string, method: "POST" | "PATCH", path: string, type: string, body: JsonObject): Promise<void> => {
    const {
      message,
      status,
      metadata: { name = "", resourceVersion = "" } = {},
    } = await ask(send, method, things + path, `application/${type}`, body);
    const before = revisions.get(name);
    revisions.set(name, resourceVersion);
    const isKnown = before !== undefined && before !== "";
    told.push(message === undefined ? { what, status, ...(isKnown ? { isNewer: before !== resourceVersion } : {}) } : { what, message });
  };
  await tell("created in a dry run", "POST", "?dryRun=All", "json", thing("a"));
  await tell("created", "POST", "", "json", { ...thing("a"), status: { observedGeneration: 7 } });
  await tell("patched with nothing", "PATCH", "/a", "merge-patch+json", {});
  await tell("patched with nothing again", "PATCH", "/a", "merge-patch+json", {});
  await tell("status dropped", "PATCH", "/a/status", "merge-patch+json", { status: null });
  await tell("applied", "PATCH", "/b?fieldManager=me", "apply-patch+yaml", thing("b"));
  await tell("applied again", "PATCH", "/b?fieldManager=me", "apply-patch+yaml", thing("b"));
  await tell("applied once more", "PATCH", "/b?fieldManager=me", "apply-patch+yaml", thing("b"));
  await tell("status set", "PATCH", "/b/status", "merge-patch+json", { status: { observedGeneration: 1 } });
  await tell("created under a rule", "POST", "", "json", thing("strict"));
  await tell("changed under a rule", "PATCH", "/strict", "merge-patch+json", { metadata: { labels: { a: "b" } } });
  return told;
}

interface Answer {
  readonly message?: string;
  readonly status?: JsonValue;
  readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
}

async function ask(send: Transport, method: "POST" | "PATCH", path: string, type: string, body: JsonObject): Promise<Answer> {
  const response = await send({ method, path, headers: { "content-type": type }, body: Buffer.from(JSON.stringify(body)) });
  return JSON.parse(await bodyText(response.body));
}

function thing(name: string): JsonObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, spec: { name } };
}

const status = {
  type: "object",
  default: { observedGeneration: -1 },
  properties: { observedGeneration: { type: "integer" }, phase: { type: "string", default: "New" } },
};

const schema = {
  type: "object",
  properties: { spec: { type: "object", properties: { name: { type: "string" } } }, status },
  "x-kubernetes-validations": [{ rule: "self.spec.name != 'strict' || !has(self.status)", message: "it has a status" }],
};

const definition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Cluster",
    names: { plural: "things", kind: "Thing" },
    versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } }],
  },
};
