import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyText, stringifyJson } from "@kaji/core";
import type { JsonObject } from "@kaji/core";
import { stringField } from "./json-fields.ts";
import { startAdmissionRig } from "../testing/admission-rig.ts";
import type { AdmissionRig } from "../testing/admission-rig.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const wrongBytes = { binaryData: { b: "%" } };
const wrongBase64 = "error decoding from json: illegal base64 data at input byte 0";

test("[BODY4] bytes that are no base64 are refused in the words of Go's converter where a patch becomes an object", async () => {
  await using rig = await startAdmissionRig();
  await rig.call("POST", configMaps, { metadata: { name: "a" } });
  assert.deepEqual(await patched(rig, "application/strategic-merge-patch+json", wrongBytes), [
    422,
    ` "" is invalid: patch: Invalid value: "map[binaryData:map[b:%]]": ${wrongBase64}`,
  ]);
  const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, ...wrongBytes };
  const step = "failed to convert new object (/a; /v1, Kind=ConfigMap) to proper version: unable to convert unstructured object to";
  assert.deepEqual(await patched(rig, "application/apply-patch+yaml", config), [500, `${step} /v1, Kind=ConfigMap: ${wrongBase64}`]);
});

test("[BODY5] a number that is too large is in nobody's way in a field that a kind does not know", async () => {
  await using rig = await startAdmissionRig();
  const send = rig.server.transport();
  const created = async (rest: string): Promise<string> => {
    const body = Buffer.from(`{"metadata":{"name":"a"},${rest}}`);
    const answer = await send({ method: "POST", path: configMaps, headers: { "content-type": "application/json" }, body });
    const { message = "" } = JSON.parse(await bodyText(answer.body)) as { message?: string };
    return `${answer.status} ${message}`;
  };
  const wrong = '400 ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number';
  assert.equal(await created('"data":{"a":1e999}'), `${wrong} into Go struct field ConfigMap.data of type string`);
  const large = '"metadata":{"generation":-1e999}';
  assert.equal(await created(large), `${wrong} -1e999 into Go struct field ObjectMeta.metadata.generation of type int64`);
  assert.equal(await created('"a":1e999'), "201 ");
});

test("[ERR1] a text that is none of an enumeration is shown as JSON that is safe inside HTML", async () => {
  await using rig = await startAdmissionRig();
  const spec = { podSelector: {}, policyTypes: ["<script>"] };
  const path = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
  const { body } = await rig.call("POST", path, { metadata: { name: "a" }, spec });
  assert.match(
    stringField(body, "message"),
    /spec\.policyTypes\[0\]: Unsupported value: "\\u003cscript\\u003e": supported values: "Ingress"/,
  );
});

test("[CRD16] where a schema or something else may stand, unknown fields go unmentioned, and what is neither is told", async () => {
  await using rig = await startAdmissionRig();
  const answerTo = async (schema: JsonObject, query = "&fieldValidation=Strict"): Promise<readonly [status: number, body: JsonObject]> => {
    const { status, body } = await rig.call("POST", `${definitions}?dryRun=All${query}`, definitionWith(schema));
    return [status, body];
  };
  const refusal = async (schema: JsonObject): Promise<string> => {
    const [status, body] = await answerTo(schema);
    return `${status} ${stringField(body, "message").replace(/^.*?(?:CustomResourceDefinition|is invalid): (?!in version)/, "")}`;
  };
  const unknown = { type: "string", nope: 1 };
  const inPart = "spec.versions[0].schema.openAPIV3Schema.properties.part";
  assert.equal(await refusal(unknown), `400 strict decoding error: unknown field "${inPart}.nope"`);
  assert.equal(await refusal({ type: "object", additionalProperties: [] }), "400 boolean or JSON schema expected");
  const missing = "spec.validation.openAPIV3Schema.properties[part].items: Required value: must be specified";
  assert.equal(await refusal({ type: "array", items: true }), `422 ${missing}`);
  const within = { type: "object", additionalProperties: { type: "object", properties: { a: unknown } } };
  for (const schema of [{ type: "array", items: unknown }, within]) {
    const [status, body] = await answerTo(schema);
    assert.deepEqual([status, stringifyJson(body).includes("nope")], [201, false]);
  }
});

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function definitionWith(part: JsonObject): JsonObject {
  const schema = { openAPIV3Schema: { type: "object", properties: { part } } };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  const names = { plural: "things", kind: "Thing" };
  return { metadata: { name: "things.example.com" }, spec: { group: "example.com", scope: "Namespaced", names, versions } };
}

async function patched(rig: AdmissionRig, type: string, patch: JsonObject): Promise<readonly unknown[]> {
  const body = Buffer.from(stringifyJson(patch));
  const path = `${configMaps}/a?fieldManager=me`;
  const answer = await rig.server.transport()({ method: "PATCH", path, headers: { "content-type": type }, body });
  const { message } = JSON.parse(await bodyText(answer.body)) as { message?: string };
  return [answer.status, message];
}
