import assert from "node:assert/strict";
import { test } from "node:test";
import { KindRegistry } from "../kind-registry.ts";
import { widgetKind } from "../testing/widgets.ts";
import type { DefinitionSource } from "./definition-source.ts";
import { OpenApiDocuments } from "./open-api-documents.ts";

const source: DefinitionSource = { nameOf: () => undefined, define: () => ({ type: "object" }) };
const openapi = { type: "object" };
const own = "apis/example.com/v1";
const other = "apis/other.example.com/v1";

test("[OAS1] a document is built once, and again when its own kinds have changed", () => {
  const registry = new KindRegistry([widgetKind({ openapi }), { ...widgetKind({ openapi }), group: "other.example.com" }]);
  const documents = new OpenApiDocuments(registry, source, { title: "Kubernetes", version: "1.36" });
  const before = [documents.v3(own), documents.v3(other), documents.v2(), documents.v2Protobuf()];
  assert.deepEqual(
    [documents.v3(own), documents.v3(other), documents.v2(), documents.v2Protobuf()].map((each, index) => each === before[index]),
    [true, true, true, true],
  );
  registry.set(widgetKind({ openapi: { ...openapi, description: "changed" } }));
  const after = [documents.v3(own), documents.v3(other), documents.v2(), documents.v2Protobuf()];
  assert.deepEqual(
    after.map((each, index) => each === before[index]),
    [false, true, false, false],
  );
});

test("[OAS1] another version of a kind is another document", () => {
  const registry = new KindRegistry([widgetKind({ openapi })]);
  const documents = new OpenApiDocuments(registry, source, { title: "Kubernetes", version: "1.36" });
  const [version] = widgetKind({ openapi }).versions;
  assert.ok(version);
  registry.set({ ...widgetKind(), versions: [version, { ...version, version: "v2" }] });
  assert.deepEqual([...documents.index().keys()], [own, "apis/example.com/v2"]);
  registry.set({ ...widgetKind(), versions: [{ ...version, version: "v2" }] });
  assert.deepEqual([...documents.index().keys()], ["apis/example.com/v2"]);
  assert.equal(documents.v3(own), undefined);
});

test("[OAS2] the hash is that of the document, whichever server built it", () => {
  const build = (): OpenApiDocuments =>
    new OpenApiDocuments(new KindRegistry([widgetKind({ openapi })]), source, { title: "Kubernetes", version: "1.36" });
  assert.deepEqual(build().index(), build().index());
  assert.equal(build().index().get(own), build().v3(own)?.hash);
});
