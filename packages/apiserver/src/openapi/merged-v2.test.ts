import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@kaji/core";
import { mergedV2 } from "./merged-v2.ts";

const reference = (name: string): JsonObject => ({ $ref: `#/definitions/${name}` });
const own = {
  swagger: "2.0",
  paths: { "/apis/a/v1/": { get: reference("Meta") } },
  definitions: { Meta: { type: "object" }, Old: { type: "string" } },
};

test("[AGG8] the document of v2 has what extension servers say of their own paths, with what that refers to", () => {
  const document = {
    paths: { "/apis/b/v1/things": { get: reference("Thing") }, "/apis/a/v1/": { get: {} }, "/apis/b/v10/": { get: reference("Other") } },
    definitions: { Thing: { properties: { meta: reference("Meta") } }, Meta: { type: "object" }, Other: {}, Unused: {} },
  };
  const merged = mergedV2(own, [{ document, path: "/apis/b/v1" }]);
  assert.deepEqual(merged, {
    swagger: "2.0",
    paths: { "/apis/a/v1/": { get: reference("Meta") }, "/apis/b/v1/things": { get: reference("Thing") } },
    definitions: { Meta: { type: "object" }, Old: { type: "string" }, Thing: { properties: { meta: reference("Meta") } } },
  });
});

test("[AGG8] a definition of a name that means something else here gets another one, wherever it is referred to", () => {
  const document = {
    paths: { "/apis/b/v1": { get: reference("Old"), post: reference("Meta") } },
    definitions: { Old: { items: reference("Old") }, Meta: { type: "array" } },
  };
  const { paths, definitions } = mergedV2(own, [{ document, path: "/apis/b/v1" }]);
  assert.deepEqual(paths, { ...own.paths, "/apis/b/v1": { get: reference("Old_v2"), post: reference("Meta_v2") } });
  assert.deepEqual(definitions, { ...own.definitions, Old_v2: { items: reference("Old_v2") }, Meta_v2: { type: "array" } });
  assert.deepEqual(mergedV2(own, []), own);
});
