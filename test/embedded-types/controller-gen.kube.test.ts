import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createMemoryStorage } from "@kaji/apiserver";
import { createApiServer } from "@kaji/cluster";
import { bodyText, isJsonObject, parseJson, structuralEqual, systemClock } from "@kaji/core";
import type { JsonObject, JsonValue } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { schemaOf } from "@kaji/types/schemas";
import type { StructName } from "@kaji/types/schemas";

const run = promisify(execFile);
const module = fileURLToPath(new URL(".", import.meta.url));

/** By the last name of the path. Nothing else differs. */
const known = [
  // Constants of Go, which controller-gen does not look up.
  "cachingMode default",
  "kind default",
  // A marker of validation inside Kubernetes, which OpenAPI does not publish.
  "imageRef maxLength",
  // What an inlined struct says of itself, controller-gen takes for said of the one around it. The API server does not.
  "configMap x-kubernetes-map-type",
  "configMapRef x-kubernetes-map-type",
  "secret x-kubernetes-map-type",
  "secretRef x-kubernetes-map-type",
  // Says what is so anyway.
  "allocatedResourceStatuses x-kubernetes-map-type",
];

test("schemas are those that controller-gen writes, but for what is known", async () => {
  const expected = await fromControllerGen();
  const structs = Object.keys(expected);
  assert.equal(structs.length, 14);
  const found = structs.flatMap((struct) => differences(ownSchema(struct), expected[struct], [struct]));
  assert.deepEqual(new Set(found), new Set(known));
});

/** The schemas by the names of their structs. The server reads YAML. */
async function fromControllerGen(): Promise<JsonObject> {
  const options = ["crd:generateEmbeddedObjectMeta=true,maxDescLen=0", "paths=.", "output:crd:stdout"];
  const { stdout } = await run("go", ["tool", "controller-gen", ...options], {
    cwd: module,
    env: { ...process.env, GOWORK: "off" },
    maxBuffer: 2 ** 24,
  });
  await using server = createApiServer({ storage: createMemoryStorage({ clock: systemClock }) });
  const { status, body } = await server.transport()({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    headers: { "content-type": "application/yaml" },
    body: Buffer.from(stdout),
  });
  const text = await bodyText(body);
  assert.equal(status, 201, text);
  return fieldsAt(parseJson(text), ["spec", "versions", "0", "schema", "openAPIV3Schema", "properties", "spec", "properties"]);
}

function ownSchema(struct: string): JsonValue {
  const part = schemaOf(struct as StructName);
  const { openApiSchema } = defineResource({ group: "embedded.kaji.test", version: "v1", kind: "One", spec: z.object({ part }) });
  return fieldsAt(parseJson(JSON.stringify(openApiSchema)), ["properties", "spec", "properties", "part"]);
}

/** What a schema says otherwise than another: the last name of the path, and the word. */
function differences(one: JsonValue | undefined, other: JsonValue | undefined, path: readonly string[]): readonly string[] {
  if (one === undefined || other === undefined) return [`${path.join(".")} is in one of them only`];
  const [mine, theirs] = [comparable(one), comparable(other)];
  const words = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  return words.flatMap((word) => {
    const [left, right] = [mine[word], theirs[word]];
    if (word === "items" || word === "additionalProperties") return differences(left, right, path);
    if (word !== "properties") return structuralEqual(left, right) ? [] : [`${path.at(-1)} ${word}`];
    const [fields, others] = [fieldsAt(left, []), fieldsAt(right, [])];
    const names = [...new Set([...Object.keys(fields), ...Object.keys(others)])];
    return names.flatMap((name) => differences(fields[name], others[name], [...path, name]));
  });
}

/** Without what may differ: the title, the order of names, and in which words a number or text is described. */
function comparable(schema: JsonValue): JsonObject {
  const { title: _title, required, ...facts } = fieldsAt(schema, []);
  const sorted = Array.isArray(required) ? { required: required.map(String).toSorted() } : {};
  if (facts["x-kubernetes-int-or-string"] !== true) return { ...facts, ...sorted };
  const { anyOf: _anyOf, pattern, ...others } = facts;
  return { ...others, isQuantity: pattern !== undefined };
}

function fieldsAt(value: JsonValue | undefined, path: readonly string[]): JsonObject {
  const found = path.reduce<unknown>((at, name) => Reflect.get(Object(at), name), value);
  return isJsonObject(found as JsonValue) ? (found as JsonObject) : assert.fail(`there is no object at ${path.join(".")}`);
}
