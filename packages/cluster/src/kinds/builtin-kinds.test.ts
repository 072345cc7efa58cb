import assert from "node:assert/strict";
import { test } from "node:test";
import { builtinKinds } from "./builtin-kinds.ts";
import { kindDetails } from "./details.ts";

test("servers of one process share their kinds, but for those that know something of the server", () => {
  const [first, second] = [builtinKinds(kindDetails()), builtinKinds(kindDetails())];
  assert.deepEqual(
    first.map(({ group, plural }) => `${group}/${plural}`),
    second.map(({ group, plural }) => `${group}/${plural}`),
  );
  const ofEach = first.filter((kind, index) => kind !== second[index]).map(({ plural }) => plural);
  assert.deepEqual(ofEach.toSorted(), [
    "localsubjectaccessreviews",
    "nodes",
    "pods",
    "selfsubjectaccessreviews",
    "selfsubjectrulesreviews",
    "serviceaccounts",
    "services",
    "subjectaccessreviews",
    "tokenreviews",
  ]);
});

test("a kind has the verbs and versions of the tables, in their order", () => {
  const kinds = builtinKinds(kindDetails());
  const shown = (plural: string): unknown =>
    kinds.filter((kind) => kind.plural === plural).map(({ verbs, versions }) => [verbs, versions.map(({ version }) => version)]);
  const all = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
  assert.deepEqual(shown("horizontalpodautoscalers"), [[all, ["v2", "v1"]]]);
  assert.deepEqual(shown("componentstatuses"), [[["get", "list"], ["v1"]]]);
  assert.deepEqual(shown("tokenreviews"), [[["create"], ["v1"]]]);
});
