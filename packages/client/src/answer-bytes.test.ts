import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigMap } from "@kaji/types/core/v1";
import { answerBytes } from "./answer-bytes.ts";
import { KubeClient } from "./kube-client.ts";

test("[CL35] the answer to a write knows the bytes it was read from, that to a read does not", async () => {
  const text = '{ "kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"b","resourceVersion":"1"} }';
  await using client = new KubeClient(async () => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield Buffer.from(text);
    })(),
  }));
  const written = await client.create(ConfigMap, { metadata: { name: "a", namespace: "b" } });
  assert.equal(Buffer.from(answerBytes(written) ?? []).toString(), text);
  assert.equal(answerBytes(await client.get(ConfigMap, "b/a")), undefined);
  assert.equal(answerBytes({ ...written }), undefined);
});
