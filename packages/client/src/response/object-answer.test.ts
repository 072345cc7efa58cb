import assert from "node:assert/strict";
import { test } from "node:test";
import { isReason, refusal } from "@kaji/core";
import type { Status } from "@kaji/core";
import { ConfigMap } from "@kaji/types/core/v1";
import { KubeClient } from "../kube-client.ts";
import { scriptedTransport } from "../testing/scripted-transport.ts";
import { TransportError } from "../transport-error.ts";
import type { Answer } from "./answer.ts";

const metadata = { namespace: "n", name: "a" };
const success = { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success" };
const others = [
  { body: "null", is: "null" },
  { body: "[]", is: "an array" },
  { body: '"ok"', is: "a string" },
  { body: '{"status":"ok"}', is: "an object without a kind" },
  { body: "<html>please log in</html>", is: "HTML or XML" },
  { body: "", is: "empty" },
];

function answering(body: unknown): KubeClient {
  return new KubeClient(scriptedTransport(() => ({ body })).transport);
}

/** What a verb or discovery says of an answer. */
async function saidOf(answer: unknown, ask: (client: KubeClient) => Promise<unknown>): Promise<string> {
  const error: unknown = await ask(answering(answer)).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof TransportError && error.reason === "Malformed", String(error));
  return error.message;
}

test("[CL50] what is no object is told by verb, path and what came", async () => {
  for (const { body, is } of others) {
    const wanted = "\\(GET /api/v1/namespaces/n/configmaps/a\\)$";
    assert.match(await saidOf(body, (client) => client.get(ConfigMap, metadata)), new RegExp(`^the response is ${is}, not .* ${wanted}`));
    await saidOf(body, (client) => client.create(ConfigMap, { metadata }));
    await saidOf(body, (client) => client.update(ConfigMap, { metadata }));
    await saidOf(body, (client) => client.mergePatch(ConfigMap, metadata, {}));
    await saidOf(body, (client) => client.mutate(ConfigMap, metadata, (current) => ({ ...current, data: {} })));
    await saidOf(body, (client) => client.delete(ConfigMap, metadata));
    await saidOf(body, (client) => client.list(ConfigMap));
    await saidOf(body, (client) => client.discovery.all());
    await saidOf(body, (client) => client.discovery.version());
    await saidOf(body, (client) => client.discovery.openApi("v1"));
  }
});

test("[CL50] so is an object of another kind", async () => {
  for (const answer of [success, { apiVersion: "v1", kind: "ConfigMapList", metadata: {}, items: [] }]) {
    const message = await saidOf(answer, (client) => client.get(ConfigMap, metadata));
    assert.match(message, new RegExp(`of kind ${answer.kind}, not of kind ConfigMap \\(GET `));
    await saidOf(answer, (client) => client.update(ConfigMap, { metadata }));
    await saidOf(answer, (client) => client.discovery.resourceOf({ apiVersion: "v1", kind: "ConfigMap" }));
  }
});

test("[CL50] an answer that is looked at later is looked at in the same way", async () => {
  const readAnswer = (given: Answer): Answer => given;
  const answer: unknown = await answering("null").update(ConfigMap, { metadata }, { readAnswer });
  assert.throws(() => (answer as Answer).value, /the response is null/);
});

test("[CL51] a failure that comes as a success is a refusal", async () => {
  const status: Status = refusal("Forbidden", "no").status;
  await assert.rejects(answering(status).create(ConfigMap, { metadata }), (error) => isReason(error, "Forbidden"));
});

test("[CL51] what is created may be told by its success alone", async () => {
  assert.deepEqual(await answering(success).create(ConfigMap, { metadata }), success);
});
