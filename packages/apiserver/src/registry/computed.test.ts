import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestServer, widgetKind } from "../testing/widgets.ts";

function widget(namespace: string, name: string): { apiVersion: string; kind: string; metadata: object } {
  return { apiVersion: "", kind: "", metadata: { name, namespace, labels: { name } } };
}

test("[CMP1] objects that are computed can be got, listed and selected; nothing is stored", async () => {
  const all = [widget("a", "one"), widget("a", "two"), widget("b", "one")];
  const compute = (namespace: string | undefined): readonly never[] =>
    all.filter(({ metadata }) => namespace === undefined || Object(metadata).namespace === namespace) as never[];
  await using api = startTestServer();
  api.server.kinds.set({ ...widgetKind({ compute }), verbs: ["get", "list"] });
  const names = async (path: string): Promise<readonly string[]> =>
    Object((await api.call("GET", path)).json["items"]).map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  assert.deepEqual(await names("/apis/example.com/v1/widgets"), ["one", "two", "one"]);
  assert.deepEqual(await names("/apis/example.com/v1/namespaces/a/widgets?labelSelector=name%3Dtwo"), ["two"]);
  const one = await api.call("GET", "/apis/example.com/v1/namespaces/a/widgets/one");
  assert.partialDeepStrictEqual(one.json, { kind: "Widget", apiVersion: "example.com/v1", metadata: { name: "one" } });
  assert.equal((await api.call("GET", "/apis/example.com/v1/namespaces/b/widgets/two")).status, 404);
  assert.equal((await api.call("POST", "/apis/example.com/v1/namespaces/b/widgets", widget("b", "x"))).status, 405);
});
