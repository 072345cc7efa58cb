import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";
import { after, before, describe, test } from "node:test";
import { createMemoryStorage } from "@kaji/apiserver";
import type { ApiServer, KindVersion } from "@kaji/apiserver";
import { isJsonArray, isJsonObject, jsonOf, systemClock } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { eventually } from "@kaji/core/testing";
import { createApiServer } from "./create-api-server.ts";

/** What is used of a control plane. */
interface Kube extends AsyncDisposable {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

type Get = (path: string) => Promise<JsonObject>;
type Crd = { readonly metadata: { readonly name: string }; readonly spec: CrdSpec };

interface CrdSpec {
  readonly group: string;
  readonly scope: "Cluster" | "Namespaced";
  readonly names: { readonly plural: string; readonly kind: string; readonly listKind?: string };
  readonly versions: readonly CrdVersion[];
}

interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: NonNullable<KindVersion["openapi"]> };
  readonly subresources?: { readonly status?: object; readonly scale?: object };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

const kubeTool: string = "@kaji-tools/kube";
const kindsKey = "x-kubernetes-group-version-kind";
/** Paths outside the API proper, of which our documents say nothing. */
const outside = /^\/?(\.well-known|openid|version)(\/|$)/;

describe("compared with a real kube-apiserver", () => {
  let kube: Kube;
  let agent: Agent;
  let server: ApiServer;
  let real: Get;
  let ours: Get;

  before(async () => {
    const { startKube } = (await import(kubeTool)) as { readonly startKube: () => Promise<Kube> };
    kube = await startKube();
    agent = new Agent({ ca: kube.ca, keepAlive: true });
    server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
    real = async (path) => (await call("GET", path)).body;
    ours = async (path) => readAll((await server.transport()({ method: "GET", path, headers: {} })).body);
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const headers = { "content-type": "application/json" };
    for (const crd of crds) {
      const { status } = await server.transport()({ method: "POST", path, headers, body: Buffer.from(JSON.stringify(crd)) });
      assert.deepEqual([status, (await call("POST", path, crd)).status], [201, 201], crd.metadata.name);
    }
    await Promise.all([published(real), published(ours)]);
  });

  after(async () => {
    agent?.destroy();
    await kube?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test("[OAS2] there are the same documents of v3", async () => {
    const [own, others] = await Promise.all([ours("/openapi/v3"), real("/openapi/v3")]);
    const expected = Object.keys(others["paths"] as JsonObject).filter((path) => !outside.test(path));
    assert.deepEqual(Object.keys(own["paths"] as JsonObject), expected.toSorted());
  });

  test("[OAS6] each document of v3 says the same", async () => {
    const { paths } = (await ours("/openapi/v3")) as { readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> };
    for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
      const [own, other] = [await ours(serverRelativeURL), servedPart(server, await real(`/openapi/v3/${path}`), "components")];
      const isCustom = path.includes(customGroup);
      assert.deepEqual(comparable(own, isCustom), comparable(other, isCustom), path);
    }
  });

  test("[OAS14] the document of v2 says the same", async () => {
    const [own, other] = [await ours("/openapi/v2"), servedPart(server, await real("/openapi/v2"), "definitions")];
    const [left, right] = [comparable(withoutSharing(own), true), comparable(withoutSharing(other), true)];
    for (const part of ["paths", "definitions"]) {
      const [mine, theirs] = [left[part] as JsonObject, right[part] as JsonObject];
      for (const [name, value] of Object.entries(theirs)) assert.deepEqual(mine[name], value, name);
    }
    assert.deepEqual(left, right);
  });

  async function call(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: JsonObject }> {
    const headers = { authorization: `Bearer ${kube.token}`, "content-type": "application/json" };
    const sent = request(kube.server + path, { method, ca: kube.ca, agent, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await readAll(response) };
  }
});

/** A custom kind is published a moment after it has been accepted. */
async function published(get: Get): Promise<void> {
  const wanted = crds.flatMap(({ spec }) =>
    spec.versions.filter(({ served }) => served).map(({ name }) => `/apis/${spec.group}/${name}/${spec.names.plural}`),
  );
  const documents = crds.flatMap(({ spec }) =>
    spec.versions.filter(({ served }) => served).map(({ name }) => `apis/${spec.group}/${name}`),
  );
  const keysOf = async (path: string): Promise<readonly string[]> => Object.keys((await get(path))["paths"] as JsonObject);
  await eventually("the documents have the custom kinds", async () => {
    const [found, listed] = [await keysOf("/openapi/v2"), await keysOf("/openapi/v3")];
    return wanted.every((path) => found.includes(path)) && documents.every((path) => listed.includes(path));
  });
}

/** What is left of a real document without the paths that we do not serve: subresources of which the control plane makes no use. */
function servedPart(server: ApiServer, document: JsonObject, part: "components" | "definitions"): JsonObject {
  const paths = Object.entries(document["paths"] as JsonObject).filter(([path]) => !outside.test(path) && isServed(server, path));
  const defined = (part === "components" ? (document["components"] as JsonObject)["schemas"] : document["definitions"]) as JsonObject;
  const reached = new Set<string>();
  const open = [...references(Object.fromEntries(paths)), ...references(document["parameters"])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...references(defined[name]));
  }
  const kept = Object.fromEntries(Object.entries(defined).filter(([name]) => reached.has(name)));
  const others =
    part === "components" ? { components: { ...(document["components"] as JsonObject), schemas: kept } } : { definitions: kept };
  return { ...document, paths: Object.fromEntries(paths), ...others };
}

function isServed(server: ApiServer, path: string): boolean {
  const [root, ...segments] = path.split("/").slice(1);
  const [group = "", version = "", ...below] = root === "api" ? ["", ...segments] : segments;
  const [plural = "", , subresource] = below[1] === "{namespace}" ? below.slice(2) : below;
  if (subresource === undefined || plural === "watch" || below[0] === "watch") return true;
  return Object.hasOwn(server.kinds.find(group, version, plural)?.version.subresources ?? {}, subresource);
}

function references(value: JsonValue | undefined): readonly string[] {
  const found = JSON.stringify(value ?? null).matchAll(/"\$ref":"#\/(?:components\/schemas|definitions)\/([^"]+)"/g);
  return Array.from(found, ([, name = ""]) => name);
}

/** v2 with every shared parameter in its place, and none of its names, which are those of hashes over sentences. */
function withoutSharing({ parameters, ...document }: JsonObject): JsonObject {
  const resolve = (key: string, value: unknown): unknown => {
    if (key !== "parameters" || !Array.isArray(value)) return value;
    return (value as readonly { readonly $ref?: string }[]).map((each) => {
      const name = each.$ref?.slice("#/parameters/".length);
      return name === undefined ? each : (parameters as JsonObject)[name];
    });
  };
  return JSON.parse(JSON.stringify(document, resolve)) as JsonObject;
}

/**
 * A document without what is known to differ: sentences, but for those that the authors of custom kinds wrote, and the wrapping that
 * references need beside them; protobuf, which we read but do not write; and the order where it means nothing. Of a kind of every version
 * the real server says in v2, and with custom kinds, that it is one of versions that are not served.
 */
function comparable(document: JsonObject, namesEveryVersion: boolean): JsonObject {
  const ofList = (list: readonly JsonValue[], key: string): JsonValue => {
    const items = list.filter((item) => typeof item !== "string" || !isProtobuf(item)).map((item) => normalise(item, ""));
    const core = key === kindsKey && namesEveryVersion ? items.filter((item) => isJsonObject(item) && item["group"] === "") : [];
    if (core.length > 0) return core;
    return unordered.has(key) ? items.toSorted((left, right) => (sorting(left) < sorting(right) ? -1 : 1)) : items;
  };
  const normalise = (value: JsonValue, key: string): JsonValue => {
    if (isJsonArray(value)) return ofList(value, key);
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value)
      .filter(([name, part]) => !isProtobuf(name) && !(name === "description" && typeof part === "string" && !ownSentences.has(part)))
      .map(([name, part = null]) => [name, normalise(part, name)] as const);
    const [[name, wrapped] = []] = entries.length === 1 ? entries : [];
    return name === "allOf" && isJsonArray(wrapped) ? (wrapped[0] ?? {}) : Object.fromEntries(entries);
  };
  return normalise(document, "") as JsonObject;
}

const unordered: ReadonlySet<string> = new Set(["consumes", "parameters", "produces", "required"]);

function sorting(value: JsonValue): string {
  return JSON.stringify(isJsonObject(value) ? [value["name"], value["in"]] : value);
}

function isProtobuf(mediaType: string): boolean {
  return mediaType.startsWith("application/vnd.kubernetes.protobuf");
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<JsonObject> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString("utf8")) as JsonObject;
}

const customGroup = "oas.kaji.test";
const text = { type: "string" };
const integer = { type: "integer" };
const open = { "x-kubernetes-preserve-unknown-fields": true };
const embedded = { type: "object", "x-kubernetes-embedded-resource": true };
const intOrString = { "x-kubernetes-int-or-string": true };
const integerOrString = [integer, text];

function version(name: string, schema: CrdVersion["schema"]["openAPIV3Schema"], more: Partial<CrdVersion> = {}): CrdVersion {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
}

function crd(
  names: CrdSpec["names"],
  versions: readonly CrdVersion[],
  { group = customGroup, scope = "Namespaced" }: Partial<CrdSpec> = {},
): Crd & JsonObject {
  const spec = { group, scope, names, versions };
  const metadata = { name: `${names.plural}.${group}` };
  return jsonOf({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata, spec }) as Crd & JsonObject;
}

/** A kind with a spec of these fields, and nothing else. */
function specOf(properties: JsonObject): CrdVersion["schema"]["openAPIV3Schema"] {
  return {
    type: "object",
    properties: { spec: { type: "object", properties: properties as NonNullable<KindVersion["openapi"]>["properties"] & object } },
  };
}

const everything: CrdVersion["schema"]["openAPIV3Schema"] = {
  type: "object",
  description: "A widget.",
  required: ["spec"],
  properties: {
    apiVersion: { type: "string", description: "own words" },
    metadata: { type: "object", properties: { name: { type: "string", maxLength: 20 } } },
    spec: {
      type: "object",
      description: "What is wanted.",
      required: ["size", "maybe"],
      properties: {
        size: { type: "integer", format: "int32", minimum: 1, maximum: 10, default: 3, description: "How large." },
        color: { type: "string", enum: ["red", "blue"], default: "red" },
        name: { type: "string", pattern: "^a+$", minLength: 1, maxLength: 9, format: "hostname", title: "Title", example: "aa" },
        ratio: { type: "number", exclusiveMinimum: true, minimum: 0.5, multipleOf: 0.25 },
        ports: {
          type: "array",
          maxItems: 5,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port"],
          items: {
            type: "object",
            required: ["port"],
            properties: { port: { type: "integer" }, name: { type: "string", nullable: true } },
          },
        },
        free: {
          type: "object",
          "x-kubernetes-map-type": "atomic",
          maxProperties: 4,
          additionalProperties: { type: "string", nullable: true },
        },
        maybe: { type: "object", nullable: true, properties: { a: { type: "string" } } },
      },
      "x-kubernetes-validations": [{ rule: "self.size < 10", message: "too large" }],
    },
    status: { type: "object", properties: { replicas: { type: "integer" } } },
  },
};

/** Each shows some of what can be said of a custom kind. */
const crds: readonly (Crd & JsonObject)[] = [
  crd({ plural: "widgets", kind: "Widget" }, [
    version("v1", everything, {
      subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.replicas" } },
      selectableFields: [{ jsonPath: ".spec.color" }],
    }),
    version("v1beta1", specOf({ size: integer }), { storage: false }),
  ]),
  crd({ plural: "clusterwidgets", kind: "ClusterWidget" }, [version("v1", specOf({ a: text }))], { scope: "Cluster" }),
  crd({ plural: "opens", kind: "Open" }, [version("v1", { ...specOf({ a: text }), ...open })]),
  crd({ plural: "halfopens", kind: "HalfOpen" }, [
    version(
      "v1",
      specOf({
        inner: { type: "object", ...open, properties: { a: text } },
        any: { ...open, description: "anything" },
        list: { type: "array", items: { type: "object", ...open, properties: { a: integer } } },
        map: { type: "object", additionalProperties: { type: "object", ...open } },
        allowed: { type: "object", additionalProperties: true },
      }),
    ),
  ]),
  crd({ plural: "embeddeds", kind: "Embedded" }, [
    version(
      "v1",
      specOf({
        strict: { ...embedded, properties: { spec: { type: "object", properties: { a: text } } } },
        open: { ...embedded, ...open, required: ["kind"] },
        typed: { ...embedded, ...open, properties: { kind: text, metadata: { type: "object" }, spec: { type: "object", ...open } } },
        list: { type: "array", items: { ...embedded, properties: { data: text } } },
        map: { type: "object", additionalProperties: { ...embedded, properties: { data: text } } },
      }),
    ),
  ]),
  crd({ plural: "combos", kind: "Combo", listKind: "ComboCollection" }, [
    version("v1", {
      required: ["spec", "metadata"],
      minProperties: 1,
      "x-kubernetes-validations": [{ rule: "has(self.spec)" }],
      ...specOf({
        a: { type: "string", anyOf: [{ pattern: "^a" }, { pattern: "^b" }], allOf: [{ minLength: 1 }], not: { enum: ["x"] } },
        either: {
          type: "object",
          properties: { x: text, y: text },
          oneOf: [{ required: ["x"] }, { required: ["y"], properties: { y: { minLength: 2 } } }],
        },
        port: intOrString,
        first: { ...intOrString, anyOf: integerOrString, pattern: "^1", description: "one or the other" },
        second: { ...intOrString, allOf: [{ anyOf: integerOrString }, { pattern: "^1" }] },
        third: { ...intOrString, allOf: [{ minimum: 2 }], nullable: true, default: 5 },
        fourth: { ...intOrString, anyOf: [{ minimum: 2 }, { pattern: "^1" }] },
        items: { type: "array", nullable: true, items: { type: "string", nullable: true }, default: ["x"] },
        documented: {
          type: "object",
          externalDocs: { url: "https://example.test", description: "see" },
          properties: { z: { type: "boolean", default: true } },
          default: { z: false },
        },
        deep: {
          type: "array",
          items: { type: "array", items: { type: "object", additionalProperties: { type: "array", items: intOrString } } },
        },
      }),
    }),
  ]),
  crd({ plural: "empties", kind: "Empty" }, [version("v1", { type: "object" })], { group: `deep.${customGroup}` }),
  crd(
    { plural: "widgets", kind: "Widget" },
    [
      version("v1alpha1", { type: "object", properties: { spec: { type: "object", nullable: true, ...open } } }),
      version("v1alpha2", { type: "object" }, { served: false, storage: false }),
    ],
    { group: `deep.${customGroup}` },
  ),
];

const ownSentences: ReadonlySet<string> = new Set(
  Array.from(JSON.stringify(crds).matchAll(/"description":"([^"]+)"/g), ([, sentence = ""]) => sentence).filter(
    (each) => each !== "own words",
  ),
);
