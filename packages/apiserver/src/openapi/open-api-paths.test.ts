import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject, JsonValue } from "@kaji/core";
import type { JsonSchemaProps } from "../custom/schema/structural-schema.ts";
import type { Kind } from "../kind.ts";
import { startTestServer, widgetKind } from "../testing/widgets.ts";
import type { TestResponse, TestServer } from "../testing/widgets.ts";
import type { DefinitionSource } from "./definition-source.ts";
import { openApiPaths } from "./open-api-paths.ts";

const document = "/openapi/v3/apis/example.com/v1";
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1.";

describe("OpenAPI", () => {
  test("[OAS1] nothing is defined before somebody asks", async () => {
    const source = countingSource();
    await using api = serve([customWidget()], source);
    assert.equal(source.asked(), 0);
    await api.call("GET", "/openapi/v3");
    assert.ok(source.asked() > 0);
  });

  test("[OAS1] a change rebuilds the documents of the kinds that changed, and no others", async () => {
    const other = { ...customWidget(), group: "other.example.com" };
    await using api = serve([customWidget(), other]);
    const before = await urls(api);
    api.server.kinds.set({ ...customWidget({ ...schema, description: "changed" }) });
    const after = await urls(api);
    assert.notEqual(after["apis/example.com/v1"], before["apis/example.com/v1"]);
    assert.equal(after["apis/other.example.com/v1"], before["apis/other.example.com/v1"]);
  });

  test("[OAS2] the index leads to a document for each version of each group", async () => {
    await using api = serve([customWidget(), knownThing]);
    const index = await urls(api);
    assert.deepEqual(Object.keys(index), ["apis", "apis/example.com/v1", "apis/known.k8s.io", "apis/known.k8s.io/v1"]);
    for (const url of Object.values(index)) assert.equal((await api.call("GET", url)).status, 200, url);
  });

  test("[OAS3] a document asked for by its hash never changes", async () => {
    await using api = serve();
    const { [document.slice("/openapi/v3/".length)]: url = "" } = await urls(api);
    const { headers, status } = await api.call("GET", url);
    assert.equal(status, 200);
    assert.equal(headers["cache-control"], "public, immutable");
    assert.equal(headers["expires"], new Date(api.clock.now() + 365 * 24 * 3600 * 1000).toUTCString());
    assert.equal(headers["etag"], `"${url.slice(url.indexOf("=") + 1)}"`);
  });

  test("[OAS3] any other hash is answered with the right one, and none with a document that may change", async () => {
    await using api = serve();
    const stale = await api.call("GET", `${document}?hash=ABC`);
    assert.equal(stale.status, 301);
    const plain = await api.call("GET", document);
    assert.equal(plain.headers["cache-control"], "no-cache, private");
    assert.equal(stale.headers["location"], `${document}?hash=${String(plain.headers["etag"]).slice(1, -1)}`);
    assert.equal((await api.call("GET", "/openapi/v3/apis/nope/v1")).status, 404);
  });

  for (const path of [document, "/openapi/v2"]) {
    test(`[OAS4] who has ${path} already is told so`, async () => {
      await using api = serve();
      const first = await api.call("GET", path);
      const etag = String(first.headers["etag"]);
      assert.match(etag, /^"[0-9A-F]{128}"$/);
      const second = await api.call("GET", path, undefined, { "if-none-match": `"other", W/${etag}` });
      assert.deepEqual([second.status, second.text, second.headers["etag"]], [304, "", etag]);
      assert.equal((await api.call("GET", path, undefined, { "if-none-match": '"other"' })).status, 200);
    });
  }

  test("[OAS5] v3 is written in JSON only, v2 also in protobuf", async () => {
    await using api = serve();
    const types = async (path: string, accept: string): Promise<readonly unknown[]> => {
      const { status, headers } = await api.call("GET", path, undefined, { accept });
      return [status, headers["content-type"]];
    };
    const asked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    const answered = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    assert.deepEqual(await types(document, "application/json"), [200, "application/json"]);
    assert.deepEqual(await types(document, "text/html, */*;q=0.8"), [200, "application/json"]);
    assert.deepEqual(await types(document, "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"), [406, undefined]);
    assert.deepEqual(await types("/openapi/v2", asked), [200, answered]);
    assert.deepEqual(await types("/openapi/v2", `application/json;q=0.5, ${answered}`), [200, answered]);
    assert.deepEqual(await types("/openapi/v2", "application/json"), [200, "application/json"]);
    assert.deepEqual(await types("/openapi/v2", "application/xml"), [406, undefined]);
  });

  test("[OAS6] a document has the paths that are served, each with what clients look for", async () => {
    await using api = serve([knownThing]);
    const { json } = await api.call("GET", "/openapi/v3/apis/known.k8s.io/v1");
    const root = "/apis/known.k8s.io/v1";
    const collection = `${root}/namespaces/{namespace}/things`;
    assert.deepEqual(Object.keys(json["paths"] as JsonObject), [
      `${root}/`,
      collection,
      `${collection}/{name}`,
      `${collection}/{name}/scale`,
      `${collection}/{name}/status`,
      `${root}/things`,
      `${root}/watch/namespaces/{namespace}/things`,
      `${root}/watch/namespaces/{namespace}/things/{name}`,
      `${root}/watch/things`,
    ]);
    const { patch, delete: remove } = at(json, "paths", `${collection}/{name}`);
    const { parameters, requestBody, ...rest } = patch as JsonObject;
    assert.deepEqual(names(parameters), ["dryRun", "fieldManager", "fieldValidation", "force"]);
    assert.deepEqual(Object.keys((requestBody as { readonly content: JsonObject }).content).toSorted(), [
      "application/apply-patch+yaml",
      "application/json-patch+json",
      "application/merge-patch+json",
      "application/strategic-merge-patch+json",
    ]);
    assert.equal(rest["x-kubernetes-action"], "patch");
    assert.deepEqual(rest["x-kubernetes-group-version-kind"], { group: "known.k8s.io", kind: "Thing", version: "v1" });
    assert.equal((remove as JsonObject)["x-kubernetes-action"], "delete");
  });

  test("[OAS7] parameters that all operations of a path have are those of the path", async () => {
    await using api = serve([knownThing]);
    const { json } = await api.call("GET", "/openapi/v3/apis/known.k8s.io/v1");
    const path = at(json, "paths", "/apis/known.k8s.io/v1/namespaces/{namespace}/things/{name}");
    assert.deepEqual(names(path["parameters"]), ["name", "namespace", "pretty"]);
    assert.equal((path["get"] as JsonObject)["parameters"], undefined);
  });

  test("[OAS8] a document defines what it refers to, and nothing else", async () => {
    await using api = serve();
    const { json, text } = await api.call("GET", document);
    const defined = Object.keys(at(json, "components", "schemas"));
    assert.ok(defined.includes("com.example.v1.Widget") && defined.includes(`${meta}ObjectMeta`) && !defined.includes(`${meta}APIGroup`));
    const references = Array.from(text.matchAll(/"#\/components\/schemas\/([^"]+)"/g), ([, name]) => name);
    assert.deepEqual(new Set(references), new Set(defined));
  });

  test("[OAS8] a kind of every version is said to be one of the core group and of those in the document", async () => {
    await using api = serve([knownThing]);
    const key = "x-kubernetes-group-version-kind";
    const { json } = await api.call("GET", "/openapi/v3/apis/known.k8s.io/v1");
    const { [key]: kinds } = at(json, "components", "schemas", `${meta}DeleteOptions`);
    assert.deepEqual(
      (kinds as readonly JsonObject[]).map(({ group }) => group),
      ["", "known.k8s.io"],
    );
  });

  test("[OAS9] custom kinds come and go with their definition", async () => {
    await using api = serve([]);
    assert.deepEqual(await urls(api), {});
    api.server.kinds.set(customWidget());
    assert.equal((await api.call("GET", document)).status, 200);
    assert.ok("com.example.v1.Widget" in at((await api.call("GET", "/openapi/v2")).json, "definitions"));
    api.server.kinds.delete(customWidget());
    assert.equal((await api.call("GET", document)).status, 404);
    assert.deepEqual(at((await api.call("GET", "/openapi/v2")).json, "definitions"), {});
  });

  test("[OAS9] a kind that nobody has defined is not published", async () => {
    await using api = serve([widgetKind()]);
    const { json } = await api.call("GET", document);
    assert.deepEqual(Object.keys(json["paths"] as JsonObject), ["/apis/example.com/v1/"]);
  });

  test("[OAS10] a custom kind is described with its lists, and without strategic merge patches", async () => {
    await using api = serve();
    const { json } = await api.call("GET", document);
    const list = at(json, "components", "schemas", "com.example.v1.WidgetList");
    assert.deepEqual(at(list, "properties", "items"), { type: "array", items: { $ref: "#/components/schemas/com.example.v1.Widget" } });
    const patch = at(json, "paths", "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}", "patch");
    assert.ok(!("application/strategic-merge-patch+json" in at(patch, "requestBody", "content")));
    assert.deepEqual(at(json, "info"), { title: "Kubernetes CRD Swagger", version: "v0.1.0" });
  });

  test("[OAS14] v2 has everything in one document, with shared parameters and without defaults", async () => {
    await using api = serve([customWidget(), knownThing]);
    const { json, text } = await api.call("GET", "/openapi/v2");
    assert.ok(!text.includes("#/components/") && !text.includes('"default"'));
    const patch = at(json, "paths", "/apis/known.k8s.io/v1/namespaces/{namespace}/things/{name}", "patch");
    const parameters = patch["parameters"] as readonly JsonObject[];
    assert.ok(parameters.some(({ name }) => name === "fieldValidation"));
    for (const { $ref } of parameters) {
      if (typeof $ref === "string") assert.ok($ref.slice("#/parameters/".length) in at(json, "parameters"), $ref);
    }
    assert.deepEqual(at(json, "definitions", "known.v1.Thing", "properties", "quantity"), { type: "string" });
    assert.deepEqual(at(json, "definitions", "known.v1.Thing", "properties", "spec"), { $ref: "#/definitions/known.v1.ThingSpec" });
  });
});

const schema: JsonSchemaProps = {
  type: "object",
  properties: { spec: { type: "object", properties: { size: { type: "integer", default: 1, description: "How large." } } } },
};

function customWidget(openapi: JsonSchemaProps = schema): Kind {
  return widgetKind({ openapi });
}

/** A kind that the source defines, as it does the built-in ones. */
const knownThing: Kind = { ...widgetKind(), group: "known.k8s.io", kind: "Thing", listKind: "ThingList", plural: "things" };

const known: Readonly<Record<string, JsonObject>> = {
  [`${meta}DeleteOptions`]: {
    type: "object",
    "x-kubernetes-group-version-kind": ["", "apps", "known.k8s.io"].map((group) => ({ group, kind: "DeleteOptions", version: "v1" })),
  },
  "known.v1.Thing": {
    type: "object",
    properties: {
      spec: { allOf: [{ $ref: "#/components/schemas/known.v1.ThingSpec" }], default: {} },
      quantity: { oneOf: [{ type: "string" }, { type: "number" }], default: "1" },
    },
  },
  "known.v1.ThingSpec": { type: "object", additionalProperties: { type: "string", default: "" } },
};

/** Defines a kind, and all that is common to kinds as an object. */
const source: DefinitionSource = {
  nameOf: ({ group, version, kind }) => {
    if (group === "autoscaling") return "autoscaling.v1.Scale";
    return group === "known.k8s.io" ? `known.${version}.${kind}` : undefined;
  },
  define: (name) => known[name] ?? { type: "object" },
};

function countingSource(): DefinitionSource & { readonly asked: () => number } {
  let asked = 0;
  const define: DefinitionSource["define"] = (name) => {
    asked += 1;
    return source.define(name);
  };
  return { ...source, define, asked: () => asked };
}

function serve(kinds: readonly Kind[] = [customWidget()], definitions: DefinitionSource = source): TestServer {
  const api = startTestServer({ kinds });
  api.server.addPaths(openApiPaths(api.server.kinds, { definitions, version: "1.36" }));
  return api;
}

async function urls(api: TestServer): Promise<Readonly<Record<string, string>>> {
  const { json }: TestResponse = await api.call("GET", "/openapi/v3");
  const paths = json["paths"] as Readonly<Record<string, { readonly serverRelativeURL: string }>>;
  return Object.fromEntries(Object.entries(paths).map(([path, { serverRelativeURL }]) => [path, serverRelativeURL]));
}

function at(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return keys.reduce<JsonObject>((inner, key) => (inner[key] ?? assert.fail(`${key} is missing`)) as JsonObject, object);
}

function names(parameters: JsonValue | undefined): readonly string[] {
  return (parameters as readonly { readonly name: string }[]).map(({ name }) => name).toSorted();
}
