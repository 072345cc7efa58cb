import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { isJsonArray, isJsonObject, parseJson, stringifyJson } from "../json/json.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import { resourcePath } from "../object/resource.ts";
import type { StatusCause, StatusDetails } from "../error/status.ts";
import { eventually } from "../outside/eventually.ts";
import { arbitraryDefinition } from "../testing/arbitrary-definition.ts";
import { arbitraryChange, arbitraryOf } from "../testing/arbitrary-object.ts";
import { Everything } from "../testing/everything.ts";
import { arbitraryTextFor, patterns } from "../testing/patterns.ts";
import type { CustomResourceDefinition } from "./custom-resource-definition.ts";
import { defineResource } from "./define-resource.ts";
import type { ResourceDefinition } from "./define-resource.ts";
import { DefinitionError } from "./definition-error.ts";
import * as k from "./k.ts";
import { fieldOf } from "./structural-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** What is used of a control plane. The tool that starts it imports core, so core cannot refer to the tool's types. */
interface Kube extends AsyncDisposable {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

interface Response {
  readonly status: number;
  readonly warning: string | undefined;
  readonly body: JsonObject;
}

const kubeTool: string = "@kaji-tools/kube";
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const objects = resourcePath(Everything, { namespace: "default" });
const dryRun = "dryRun=All&fieldValidation=Ignore";

describe("on a real kube-apiserver", () => {
  let kube: Kube;
  let agent: Agent;

  before(async () => {
    const { startKube } = (await import(kubeTool)) as { readonly startKube: () => Promise<Kube> };
    kube = await startKube();
    agent = new Agent({ ca: kube.ca, keepAlive: true });
  });

  after(async () => {
    agent?.destroy();
    await kube?.[Symbol.asyncDispose]();
  });

  test("[DEF1] the definition is accepted without a warning and kept as it is", async () => {
    const created = await install(Everything);
    assert.equal(created.warning, undefined);
    assert.partialDeepStrictEqual(created.body, asJson(Everything.crd()));
  });

  test("[DEF12] the sample is accepted, with no field that the server would drop", async () => {
    const response = await call("POST", `${objects}?dryRun=All&fieldValidation=Strict`, asJson(Everything.sample()));
    assert.equal(response.status, 201, stringifyJson(response.body));
  });

  test("[DEF8] [DEF9] the server decides on 500 specs as `validate` does, and stores what `parse` returns", async () => {
    const decisions = { accepted: 0, refused: 0 };
    for (const spec of samples("spec", 500)) {
      const object = draft({ spec: withoutBrokenRules(spec) });
      const response = await call("POST", `${objects}?${dryRun}`, object);
      const errors = Everything.validate(object);
      assert.equal(response.status < 300, errors.length === 0, explain(object, response));
      if (errors.length === 0) {
        decisions.accepted++;
        assert.deepEqual(response.body["spec"], asJson(Everything.parse(object))["spec"], explain(object, response));
      } else {
        decisions.refused++;
        const said = stringifyJson(response.body);
        for (const { field } of errors) assert.ok(said.includes(field), `${field} is not blamed: ${explain(object, response)}`);
      }
    }
    assert.ok(decisions.accepted > 100 && decisions.refused > 100, stringifyJson(decisions));
  });

  test("[DEF8] [DEF9] the same holds for 200 statuses", async () => {
    const created = await call("POST", objects, asJson(Everything.sample()));
    const path = resourcePath(Everything, { namespace: "default", name: Everything.sample().metadata.name, subresource: "status" });
    for (const status of samples("status", 200)) {
      const object = { ...created.body, status };
      const response = await call("PUT", `${path}?${dryRun}`, object);
      const errors = Everything.validate(object);
      assert.equal(response.status < 300, errors.length === 0, explain(object, response));
      if (errors.length === 0) assert.deepEqual(response.body["status"], asJson(Everything.parse(object))["status"]);
    }
  });

  test("[DEF8] a name, label or namespace is refused by both", async () => {
    const prefixed = draft({ metadata: { generateName: "-" } });
    assert.equal((await call("POST", `${objects}?${dryRun}`, prefixed)).status, 422);
    assert.deepEqual(
      Everything.validate(prefixed).map(({ field }) => field),
      ["metadata.generateName"],
    );
    for (const metadata of [
      { name: "A" },
      { name: "a", labels: { "a b": "c" } },
      { name: "a", labels: { a: "-" } },
      {},
      { name: "a", annotations: { "/": "" } },
    ]) {
      const object = draft({ metadata });
      const response = await call("POST", `${objects}?${dryRun}`, object);
      assert.equal(response.status, 422);
      assert.deepEqual(
        causes(response),
        Everything.validate(object).map(({ type, field, body }) => ({ reason: type, message: body, field })),
      );
    }
  });

  test("[DEF8] a list in the place of a string with a format is refused by us, though not by the server", async () => {
    const object = draft({ spec: { ...spec(), when: ["x"] } });
    assert.equal((await call("POST", `${objects}?${dryRun}`, object)).status, 201);
    assert.deepEqual(
      Everything.validate(object).map(({ field }) => field),
      ["spec.when"],
    );
  });

  test("[DEF7] rules are checked, and blame what they say", async () => {
    const broken: readonly [JsonObject, string, string, string][] = [
      [{ min: 5, max: 4 }, "FieldValueForbidden", "spec.min", "Forbidden: min must not exceed max"],
      [{ owner: "nobody" }, "FieldValueInvalid", "spec", "Invalid value: owner nobody is not allowed"],
      [{ min: 42, max: 43 }, "FieldValueInvalid", "spec", "Invalid value: 42 is not for new objects"],
    ];
    for (const [fields, reason, field, message] of broken) {
      const response = await call("POST", `${objects}?${dryRun}`, draft({ spec: { ...spec(), ...fields } }));
      assert.deepEqual(causes(response), [{ reason, message, field }]);
    }
    const long = await call("POST", `${objects}?${dryRun}`, draft({ metadata: { name: "a".repeat(41) } }));
    assert.deepEqual(causes(long), [{ reason: "FieldValueInvalid", message: "Invalid value: the name is too long", field: "<nil>" }]);
  });

  test("[DEF7] what is immutable cannot be changed", async () => {
    const created = await call("POST", objects, draft({ metadata: { name: "owned" }, spec: { ...spec(), owner: "me" } }));
    const changed = { ...created.body, spec: { ...(created.body["spec"] as JsonObject), owner: "you" } };
    const response = await call("PUT", `${objects}/owned?${dryRun}`, changed);
    assert.deepEqual(causes(response), [{ reason: "FieldValueForbidden", message: "Forbidden: is immutable", field: "spec.owner" }]);
  });

  test("[DEF16] of a union the server tells as `validate` does which fields are there, however many it has", async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`way${index}`, z.string()]));
    const source = k.oneOf({ git: z.object({ url: z.string() }), image: z.string(), "oci-tar": z.string() });
    const spec = z.object({
      source: source.optional(),
      few: z.array(source).max(1000).optional(),
      many: z.array(z.array(source)).optional(),
      ways: z.array(k.oneOf(many)).max(1000).optional(),
    });
    const OneOf = defineResource({ group: "define.kaji.dev", version: "v1", kind: "OneOf", spec });
    const created = await install(OneOf);
    assert.deepEqual([created.status, created.warning], [201, undefined], stringifyJson(created.body));
    for (const value of [
      { source: { git: { url: "a" } } },
      { source: {} },
      { source: { git: { url: "a" }, "oci-tar": "b" }, few: [{}, { image: "a" }] },
      { source: { git: {}, image: "a" } },
      { many: [[{}]], ways: [{ way3: "a", way7: "b" }] },
    ] as readonly JsonObject[]) {
      const object = { ...asJson(OneOf.sample()), spec: value };
      const response = await call("POST", `${resourcePath(OneOf, { namespace: "default" })}?${dryRun}`, object);
      const said = response.status === 201 ? [] : causes(response).filter(({ field }) => field !== "<nil>");
      const expected = OneOf.validate(object).map(({ type, field, body }) => ({ reason: type, message: body, field }));
      const byField = (all: typeof said): typeof said => all.toSorted((left, right) => (left.field ?? "").localeCompare(right.field ?? ""));
      assert.deepEqual(byField(said), byField(expected));
    }
  });

  test("[DEF15] of a discriminated union the fields of a variant are wanted, and no others", async () => {
    const target = z.string().max(253);
    const data = z.discriminatedUnion("type", [
      z.object({ type: z.enum(["A", "AAAA"]), addresses: z.array(z.string().max(45)).min(1).max(32) }),
      z.object({ type: z.literal("CNAME"), target }).check(k.rule("self.target != 'self'", { message: "points to itself" })),
      z.object({ type: z.literal("ALIAS"), namespace: target, "my-target": target.optional() }),
    ]);
    const spec = z.object({ data, more: z.array(data).max(20).optional() });
    const Union = defineResource({ group: "define.kaji.dev", version: "v1", kind: "Union", spec });
    const created = await install(Union);
    assert.deepEqual([created.status, created.warning], [201, undefined], stringifyJson(created.body));
    const said = async (value: JsonObject): Promise<readonly string[]> => {
      const object = { ...asJson(Union.sample()), spec: { data: value, more: [value] } };
      const response = await call("POST", `${resourcePath(Union, { namespace: "default" })}?${dryRun}`, object);
      // The server looks at fields in no order of its own.
      return response.status === 201
        ? []
        : causes(response)
            .map(({ field, message }) => `${field}: ${message}`)
            .toSorted();
    };
    for (const value of [
      { type: "AAAA", addresses: ["::"] },
      { type: "CNAME", target: "a" },
      { type: "ALIAS", namespace: "a" },
      { type: "ALIAS", namespace: "a", "my-target": "b" },
    ])
      assert.deepEqual(await said(value), []);
    const twice = (...wrong: readonly string[]): readonly string[] =>
      ["spec.data", "spec.more[0]"].flatMap((at) => wrong.map((each) => `${at}${each}`)).toSorted();
    assert.deepEqual(await said({ type: "CNAME", target: "self" }), twice(": Invalid value: points to itself"));
    assert.deepEqual(
      await said({ type: "CNAME", addresses: ["a"] }),
      twice(".addresses: Forbidden: is only for type A and AAAA", ".target: Required value: is needed for type CNAME"),
    );
    assert.deepEqual((await said({ type: "A", addresses: ["a"], "my-target": "b" })).length, 2);
  });

  test("[DEF4] the columns show the fields, an age and the status of a condition", async () => {
    const response = await call("GET", `${objects}/owned`, undefined, "application/json;as=Table;g=meta.k8s.io;v=v1");
    const columns = response.body["columnDefinitions"] as readonly { readonly name: string; readonly type: string }[];
    const titles = columns.map(({ name, type }) => `${name} ${type}`);
    assert.deepEqual(titles, [
      "Name string",
      "Replicas integer",
      "Started date",
      "Ready string",
      "Target string",
      "Ratio number",
      "Paused boolean",
      "Tag string",
      "Age date",
    ]);
  });

  test("[DEF5] the scale subresource reads the replicas, and fields can be selected by", async () => {
    const scale = await call("GET", `${objects}/owned/scale`);
    assert.deepEqual(scale.body["spec"], { replicas: 1 });
    const found = await call("GET", `${objects}?fieldSelector=${encodeURIComponent("spec.color=red,spec.paused=false,spec.replicas=1")}`);
    assert.equal((found.body["items"] as readonly JsonValue[]).length, 2);
  });

  test("[DEF3] other versions are served as they say, with their warnings", async () => {
    const old = await call("GET", resourcePath({ ...Everything, version: "v1beta1" }, { namespace: "default" }));
    assert.equal(old.status, 200);
    assert.equal(old.warning, '299 - "test.kaji.example.com/v1beta1 Everything is deprecated; use v1"');
    const unserved = await call("GET", resourcePath({ ...Everything, version: "v1alpha1" }, { namespace: "default" }));
    assert.equal(unserved.status, 404);
  });

  test("[DEF2] what can be defined is accepted: 100 definitions by chance", async () => {
    let accepted = 0;
    for (const spec of fc.sample(arbitraryDefinition(), { numRuns: 200, seed: 3 })) {
      const crd = tryDefine(spec);
      if (crd === undefined) continue;
      const response = await call("POST", `${crds}?dryRun=All`, asJson(crd));
      assert.equal(response.status, 201, `${stringifyJson(crd)}\nthe server said ${stringifyJson(response.body)}`);
      accepted++;
    }
    assert.ok(accepted >= 100, String(accepted));
  });

  test("[DEF8] [DEF9] of 60 definitions by chance, too, the server thinks as we do", async () => {
    const possible = fc.sample(arbitraryDefinition(), { numRuns: 120, seed: 4 }).filter((spec) => tryDefine(spec) !== undefined);
    const fields = Object.fromEntries(possible.slice(0, 60).map((each, index) => [`f${index}`, each.optional()]));
    const Chance = defineResource({ group: "test.kaji.example.com", version: "v1", kind: "Chance", spec: z.object(fields) });
    await install(Chance);
    const schemas = Object.entries(Chance.openApiSchema.properties?.["spec"]?.properties ?? {});
    const field = fc.constantFrom(...schemas).chain(([name, schema]) => mixed(schema).map((value) => ({ [name]: value })));
    for (const spec of fc.sample(field, { numRuns: 300, seed: 4 })) {
      const object = { apiVersion: "test.kaji.example.com/v1", kind: "Chance", metadata: { name: "a" }, spec };
      const response = await call("POST", `${resourcePath(Chance, { namespace: "default" })}?${dryRun}`, object);
      const errors = Chance.validate(object);
      assert.equal(response.status < 300, errors.length === 0, explain(object, response));
      if (errors.length === 0) assert.deepEqual(response.body["spec"], asJson(Chance.parse(object))["spec"]);
    }
  });

  test("[DEF11] patterns match what we say they match", async () => {
    const fields = Object.fromEntries(patterns.map((regex, index) => [`p${index}`, z.string().regex(regex).optional()]));
    const Patterns = defineResource({ group: "test.kaji.example.com", version: "v1", kind: "Pattern", spec: z.object(fields) });
    await install(Patterns);
    const texts = fc.record(Object.fromEntries(patterns.map((regex, index) => [`p${index}`, arbitraryTextFor(regex)])));
    for (const spec of fc.sample(texts, { numRuns: 100, seed: 1 })) {
      const object = { apiVersion: "test.kaji.example.com/v1", kind: "Pattern", metadata: { name: "a" }, spec };
      const response = await call("POST", `${resourcePath(Patterns, { namespace: "default" })}?${dryRun}`, object);
      const blamed = response.status < 300 ? [] : causes(response).map(({ field = "" }) => field);
      const expected = Patterns.validate(object).map(({ field }) => field);
      assert.deepEqual(blamed.toSorted(), expected.toSorted(), explain(object, response));
    }
  });

  async function install(resource: ResourceDefinition): Promise<Response> {
    const created = await call("POST", crds, asJson(resource.crd()));
    assert.equal(created.status, 201, stringifyJson(created.body));
    const list = resourcePath(resource, { namespace: "default" });
    await eventually(`${list} is served`, async () => (await call("GET", list)).status === 200);
    return created;
  }

  async function call(method: string, path: string, body?: JsonValue, accept = "application/json"): Promise<Response> {
    const headers = { authorization: `Bearer ${kube.token}`, "content-type": "application/json", accept };
    const sent = request(new URL(path, kube.server), { method, agent, headers });
    sent.end(body === undefined ? undefined : stringifyJson(body));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const received = await text(response);
    const json = received.startsWith("{") ? parseJson(received) : { message: received };
    const warning = response.headers["warning"];
    return { status: response.statusCode ?? 0, warning, body: isJsonObject(json) ? json : {} };
  }
});

/** The same ones each time: those that follow the schema, and twice as many with one change. */
function samples(part: "spec" | "status", count: number): readonly JsonValue[] {
  return fc.sample(mixed(Everything.openApiSchema.properties?.[part] ?? {}), { numRuns: count, seed: 20_260_131 });
}

function mixed(schema: StructuralSchema): fc.Arbitrary<JsonValue> {
  const changed = arbitraryOf(schema).chain(arbitraryChange);
  return fc
    .oneof({ arbitrary: arbitraryOf(schema), weight: 1 }, { arbitrary: changed, weight: 2 })
    .filter((value) => !hasListForTime(value, schema));
}

/** The one case in which the server accepts what we refuse; it has a test of its own. */
function hasListForTime(value: JsonValue | undefined, schema: StructuralSchema): boolean {
  if (isJsonArray(value)) return schema.format === "date-time" || value.some((item) => hasListForTime(item, schema.items ?? {}));
  return isJsonObject(value) && Object.entries(value).some(([name, field]) => hasListForTime(field, fieldOf(schema, name) ?? {}));
}

/** Rules in CEL are checked by the server alone. */
function withoutBrokenRules(spec: JsonValue): JsonValue {
  if (!isJsonObject(spec)) return spec;
  const [min, max] = [spec["min"] ?? 0, spec["max"] ?? 10];
  const kept = spec["owner"] === "nobody" ? { ...spec, owner: "somebody" } : spec;
  if (typeof min !== "number" || typeof max !== "number") return kept;
  const least = min === 42 ? 41 : min;
  return least > max || least !== min ? { ...kept, min: least, max: Math.max(least, max) } : kept;
}

function tryDefine(spec: z.ZodObject): CustomResourceDefinition | undefined {
  try {
    return defineResource({ group: "test.kaji.example.com", version: "v1", kind: "Chance", spec }).crd();
  } catch (error) {
    if (error instanceof DefinitionError) return undefined;
    throw error;
  }
}

function spec(): JsonObject {
  return asJson(Everything.sample())["spec"] as JsonObject;
}

function draft(parts: JsonObject): JsonObject {
  const { apiVersion, kind } = Everything.sample();
  return { apiVersion, kind, metadata: { name: "generated" }, spec: spec(), ...parts };
}

/** As it is on the wire. */
function asJson(value: unknown): JsonObject {
  return parseJson(stringifyJson(value)) as JsonObject;
}

/** Without the remark that, this being wrong, the rules were not looked at. */
function causes({ body }: Response): readonly StatusCause[] {
  const { causes: all = [] } = body["details"] as StatusDetails;
  return all.filter(({ message }) => message?.includes("some validation rules were not checked") !== true);
}

function explain(object: JsonValue, { status, body }: Response): string {
  return `${stringifyJson(object)}\nwe said ${stringifyJson(Everything.validate(object))}\nthe server said ${status} ${stringifyJson(body)}`;
}
