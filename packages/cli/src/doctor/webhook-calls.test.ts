import assert from "node:assert/strict";
import { test } from "node:test";
import { KubeClient } from "@kaji/client";
import { bodyFromBytes } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { operatorManifests } from "@kaji/manifests";
import { defineOperator, webhook } from "@kaji/runtime";
import { findingLine } from "./finding.ts";
import { reachFindings } from "./webhook-calls.ts";

const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec: z.object({}) });
const operator = defineOperator({ name: "bars", controllers: [], webhooks: [webhook(Bar, { validate: () => {} })] });

/** What is found out where the server answers a sample like this, and where the sample was to be. */
async function found(
  status: { readonly reason: string; readonly message: string; readonly code: number },
  watchNamespaces?: readonly string[],
): Promise<{ readonly line: string; readonly path: string | undefined }> {
  const tools = { clock: new ManualClock(), random: seededRandom(1) };
  let path: string | undefined;
  const body = Buffer.from(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", ...status }));
  await using client = new KubeClient(async (request) => {
    path = request.path;
    return { status: status.code, headers: {}, body: bodyFromBytes(body) };
  }, tools);
  const session = { client, cluster: "test", clock: tools.clock, signal: new AbortController().signal };
  const findings = await reachFindings(session, operator, operatorManifests(operator, { watchNamespaces }));
  return { line: findings.map(findingLine).join(""), path: path?.split("?", 1)[0] };
}

const denied = { code: 422, reason: "Invalid", message: 'admission webhook "validate.bar.v1.example.com" denied the request: no' };

test("webhooks that refuse a sample are called", async () => {
  assert.equal((await found(denied)).line, "ok       webhooks of Bar: are called\n");
});

test("of a sample that the server refuses by itself, the webhooks are not asked", async () => {
  const { line } = await found({ code: 422, reason: "Invalid", message: 'Bar.example.com "a" is invalid: spec: Required value' });
  assert.equal(
    line,
    'unknown  webhooks of Bar: could not be tried: Bar.example.com "a" is invalid: spec: Required value (POST /apis/example.com/v1/namespaces/default/bars); give the field an example, so that there is a sample to try: .meta({ example: … })\n',
  );
});

test("a sample is tried in a namespace that the operator looks after: of others its webhooks are not asked", async () => {
  assert.equal((await found(denied, ["team-a", "team-b"])).path, "/apis/example.com/v1/namespaces/team-a/bars");
  assert.equal((await found(denied)).path, "/apis/example.com/v1/namespaces/default/bars");
});
