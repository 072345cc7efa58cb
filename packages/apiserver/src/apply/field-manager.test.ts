import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ApiError } from "@kaji/core";
import type { DynamicObject, JsonObject, ManagedFieldsEntry } from "@kaji/core";
import { structSchema } from "./merge-schema.ts";
import { mixedSchema } from "../testing/mixed-schema.ts";
import { FieldManager } from "./field-manager.ts";
import type { ApplyRequest, UpdateRequest } from "./field-manager.ts";
import { FieldSet } from "./field-set.ts";
import { objectMetaSchema, textSchema } from "./object-meta-schema.ts";

const schema = structSchema({
  apiVersion: textSchema,
  kind: textSchema,
  metadata: objectMetaSchema,
  spec: mixedSchema,
  status: mixedSchema,
});
const manager = new FieldManager({
  kind: "Thing",
  schemaAt: (apiVersion) => (apiVersion === "g/v1" || apiVersion === "g/v2" ? schema : undefined),
  resetFields: (_apiVersion, subresource) => FieldSet.ofFields([subresource === "status" ? "spec" : "status"]),
});

test("[SSA13] whoever changes a field owns it alone", () => {
  const created = update({ manager: "a", next: thing({ size: 1, labels: { k: "1" } }) });
  const changed = update({ manager: "b", live: stored(created), next: thing({ size: 2, labels: { k: "1", l: "2" } }) });
  assert.deepEqual(owned(changed), {
    "a Update": { "f:spec": { ".": {}, "f:labels": { ".": {}, "f:k": {} } } },
    "b Update": { "f:spec": { "f:labels": { "f:l": {} }, "f:size": {} } },
  });
});

test("[SSA13] whoever owns nothing any more has no entry", () => {
  const created = update({ manager: "a", next: thing({ size: 1 }) });
  const replaced = update({ manager: "b", live: stored(created), next: thing({ tags: ["x"] }) });
  assert.deepEqual(owned(replaced), { "a Update": { "f:spec": {} }, "b Update": { "f:spec": { "f:tags": { ".": {}, 'v:"x"': {} } } } });
  const emptied = update({ manager: "c", live: stored(replaced), next: thing() });
  assert.equal(emptied.metadata.managedFields, undefined);
});

test("[SSA14] the time is that of the last change by the manager", () => {
  const created = update({ manager: "a", next: thing({ size: 1 }), now: "2020-01-01T00:00:00Z" });
  const same = update({ manager: "a", live: stored(created), next: thing({ size: 1 }), now: "2021-01-01T00:00:00Z" });
  assert.equal(same.metadata.managedFields?.[0], created.metadata.managedFields?.[0]);
  const changed = update({ manager: "a", live: stored(created), next: thing({ size: 2 }), now: "2022-01-01T00:00:00Z" });
  assert.deepEqual(times(changed), { a: "2022-01-01T00:00:00Z" });
});

test("[SSA14] whoever changes the same fields again has them written in the very same form, with another time", () => {
  const [first, second] = [thing({ size: 1, tags: ["x"] }), thing({ size: 2, tags: ["x"] })];
  const created = update({ manager: "a", next: first, now: "2020-01-01T00:00:00Z" });
  const changed = update({ manager: "a", live: stored(created), next: second, now: "2021-01-01T00:00:00Z" });
  const [before, after] = [created.metadata.managedFields?.[0], changed.metadata.managedFields?.[0]];
  assert.equal(after?.fieldsV1, before?.fieldsV1);
  assert.deepEqual(after, { ...before, time: "2021-01-01T00:00:00Z" });
});

test("[SSA15] what identifies an object, or is the server's, is owned by nobody", () => {
  const metadata = {
    name: "t",
    namespace: "n",
    uid: "u",
    generation: 1,
    resourceVersion: "1",
    creationTimestamp: "2020-01-01T00:00:00Z",
    selfLink: "/",
  };
  const created = update({ manager: "a", next: { ...thing(), metadata } });
  assert.equal(created.metadata.managedFields, undefined);
});

suite("[SSA17] managed fields that a client sends", () => {
  const live = stored(apply({ manager: "a", patch: thing({ size: 1 }) }));
  const send = (managedFields: unknown, subresource?: string): DynamicObject => {
    const next = { ...live, metadata: { ...live.metadata, managedFields: managedFields as readonly ManagedFieldsEntry[] } };
    return update({ manager: "b", live, next, subresource });
  };
  const entry: ManagedFieldsEntry = {
    manager: "x",
    operation: "Apply",
    apiVersion: "g/v1",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:size": {} } },
  };
  test("are taken", () => assert.deepEqual(owned(send([entry])), { "x Apply": { "f:spec": { "f:size": {} } } }));
  test("are forgotten when empty", () => assert.deepEqual([send([]), send([{}])].map(owned), [{}, {}]));
  for (const nonsense of [undefined, null, "x", {}, [null], [{ ...entry, operation: "Patch" }], [{ ...entry, fieldsV1: { a: 1 } }]]) {
    test(`are kept when they are ${JSON.stringify(nonsense)}`, () => assert.deepEqual(owned(send(nonsense)), owned(live)));
  }
  test("are kept through a subresource", () => assert.deepEqual(owned(send([], "status")), owned(live)));
});

test("[SSA18] an object that does not fit has no ownership, until it is applied to again", () => {
  const live = stored(apply({ manager: "a", patch: thing({ size: 1 }) }));
  const broken = update({ manager: "b", live, next: thing({ size: "one" }) });
  assert.equal(broken.metadata.managedFields, undefined);
  const mended = update({ manager: "b", live: stored(broken), next: thing({ size: 2 }) });
  assert.equal(mended.metadata.managedFields, undefined);
  const applied = apply({ manager: "a", live: stored(mended), patch: thing({ tags: ["x"] }) });
  assert.deepEqual(owned(applied), {
    "a Apply": { "f:spec": { "f:tags": { 'v:"x"': {} } } },
    "before-first-apply Update": { "f:spec": { ".": {}, "f:size": {} } },
  });
});

test("[SSA19] a conflict is a 409 that names each field and its owner", () => {
  const live = stored(update({ manager: "ed", next: thing({ size: 1, tags: ["x"] }) }));
  const status = stored(update({ manager: "ctl", live, next: { ...live, status: { size: 1 } }, subresource: "status" }));
  const one = refusalOf(() => apply({ manager: "a", live, patch: thing({ size: 2, tags: ["x"] }) }));
  assert.deepEqual(
    [one.code, one.reason, one.message],
    [409, "Conflict", 'Apply failed with 1 conflict: conflict with "ed" using g/v1: .spec.size'],
  );
  assert.deepEqual(one.details?.causes, [
    { reason: "FieldManagerConflict", message: 'conflict with "ed" using g/v1', field: ".spec.size" },
  ]);
  const other = stored(apply({ manager: "gitops", live: status, patch: thing({ labels: { a: "1", b: "2" } }) }));
  const many = refusalOf(() => apply({ manager: "a", live: other, patch: thing({ size: 2, labels: { a: "3", b: "4" } }) }));
  assert.equal(
    many.message,
    [
      'Apply failed with 3 conflicts: conflicts with "ed" using g/v1:',
      "- .spec.size",
      'conflicts with "gitops":',
      "- .spec.labels.a",
      "- .spec.labels.b",
    ].join("\n"),
  );
  const sub = refusalOf(() => apply({ manager: "a", live: status, patch: { ...thing(), status: { size: 2 } }, subresource: "status" }));
  assert.equal(sub.message, 'Apply failed with 1 conflict: conflict with "ctl" with subresource "status" using g/v1: .status.size');
});

test("[SSA20] force takes the fields", () => {
  const live = stored(update({ manager: "ed", next: thing({ size: 1 }) }));
  const forced = apply({ manager: "a", live, patch: thing({ size: 2 }), force: true });
  assert.deepEqual(owned(forced), { "a Apply": { "f:spec": { "f:size": {} } }, "ed Update": { "f:spec": {} } });
});

test("[SSA21] what is left out goes, unless others own it or it was never the manager's", () => {
  const first = stored(
    apply({ manager: "a", patch: thing({ size: 1, labels: { k: "1" }, ports: [{ port: 80, host: "h" }, { port: 81 }] }) }),
  );
  const second = stored(apply({ manager: "b", live: first, patch: thing({ ports: [{ port: 80, host: "h" }] }) }));
  const third = stored(update({ manager: "c", live: second, next: thing({ ...specOf(second), any: 1 }) }));
  const last = apply({ manager: "a", live: third, patch: thing({ size: 1 }) });
  assert.deepEqual(specOf(last), { size: 1, ports: [{ port: 80, host: "h" }], any: 1 });
});

test("[SSA21] what is applied again as nothing goes where it has nothing but unowned values and empty lists", () => {
  const live = stored(apply({ manager: "a", patch: thing({}) }));
  const filled = { ...live, spec: { size: 1, tags: [] } };
  assert.equal(apply({ manager: "a", live: filled, patch: thing({}) })["spec"], undefined);
  const held = stored(update({ manager: "b", live, next: thing({ tags: [], size: 1 }) }));
  assert.deepEqual(specOf(apply({ manager: "a", live: held, patch: thing({}) })), { size: 1, tags: [] });
});

test("[SSA22] applying what is there returns the live object", () => {
  const live = stored(apply({ manager: "a", patch: thing({ size: 1, tags: ["x", "y"] }) }));
  assert.equal(apply({ manager: "a", live, patch: thing({ tags: ["x", "y"], size: 1 }), now: "2030-01-01T00:00:00Z" }), live);
  const parsed = JSON.parse(JSON.stringify(live)) as DynamicObject;
  assert.equal(apply({ manager: "a", live: parsed, patch: thing({ size: 1, tags: ["x", "y"] }) }), parsed);
});

test("[SSA23] an owner who changed nothing has no time", () => {
  const live = stored(apply({ manager: "a", patch: thing({ size: 1 }) }));
  const both = apply({ manager: "b", live, patch: thing({ size: 1 }) });
  assert.deepEqual(times(both), { a: "2020-01-01T00:00:00Z", b: undefined });
});

test("[SSA24] what is there when ownership begins belongs to before-first-apply", () => {
  const live = stored(thing({ size: 1, tags: ["x"] }));
  const applied = apply({ manager: "a", live, patch: thing({ size: 1 }) });
  assert.deepEqual(owned(applied), {
    "a Apply": { "f:spec": { "f:size": {} } },
    "before-first-apply Update": { "f:spec": { ".": {}, "f:size": {}, "f:tags": { ".": {}, 'v:"x"': {} } } },
  });
  assert.deepEqual(owned(apply({ manager: "a", patch: thing({ size: 1 }) })), { "a Apply": { "f:spec": { "f:size": {} } } });
});

suite("[SSA25] what cannot be applied is refused", () => {
  const cases: ReadonlyArray<readonly [what: string, patch: unknown, code: number, message: string]> = [
    ["another version", { ...thing(), apiVersion: "g/v2" }, 400, "invalid object type: g/v2, Kind=Thing"],
    ["another kind", { ...thing(), apiVersion: "v1", kind: "Pod" }, 400, "invalid object type: /v1, Kind=Pod"],
    ["no type", { metadata: { name: "t" } }, 400, "invalid object type: /, Kind="],
    ["a type that is no text", { ...thing(), apiVersion: 1, kind: {} }, 400, "invalid object type: /, Kind="],
    ["managed fields", { ...thing(), metadata: { name: "t", managedFields: [] } }, 400, "metadata.managedFields must be nil"],
    [
      "an unknown field",
      thing({ nope: 1 }),
      500,
      "failed to create typed patch object (/t; g/v1, Kind=Thing): .spec.nope: field not declared in schema",
    ],
    [
      "metadata that is none",
      { ...thing(), metadata: "x" },
      500,
      "failed to create typed patch object (/; g/v1, Kind=Thing): .metadata: expected map, got &{x}",
    ],
  ];
  for (const [what, patch, code, message] of cases) {
    test(what, () => {
      const error = refusalOf(() => apply({ manager: "a", patch: patch as DynamicObject }));
      assert.deepEqual([error.code, error.message], [code, message]);
    });
  }

  test("onto an object whose managed fields make no sense", () => {
    const live = { ...thing(), metadata: { name: "t", managedFields: [{ operation: "Apply" as const }] } };
    const error = refusalOf(() => apply({ manager: "a", live, patch: thing() }));
    assert.deepEqual([error.code, error.message], [500, "failed to decode managed fields: apiVersion must not be empty"]);
  });

  test("when a version cannot be converted", () => {
    const failing = new FieldManager({
      kind: "Thing",
      schemaAt: () => schema,
      convert: () => {
        throw new Error("request to convert CR to an invalid group/version: g/v0");
      },
    });
    const entry: ManagedFieldsEntry = {
      manager: "x",
      operation: "Update",
      apiVersion: "g/v0",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": {} },
    };
    const live = { ...thing(), metadata: { name: "t", managedFields: [entry] } };
    const error = refusalOf(() => failing.apply({ manager: "a", live, patch: thing(), force: false, apiVersion: "g/v1", now: "" }));
    assert.deepEqual([error.code, error.message], [500, "request to convert CR to an invalid group/version: g/v0"]);
    assert.equal(failing.update({ manager: "a", live, next: thing(), apiVersion: "g/v1", now: "" }).metadata.managedFields, undefined);
  });
});

test("[SSA27] an applier keeps its entry when it moves to another version, and ownership in versions that are no more is dropped", () => {
  const live = stored(apply({ manager: "a", patch: thing({ size: 1, tags: ["x"] }) }));
  const gone: ManagedFieldsEntry = {
    manager: "old",
    operation: "Update",
    apiVersion: "g/v0",
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:size": {} } },
  };
  const before = { ...live, metadata: { ...live.metadata, managedFields: [...(live.metadata.managedFields ?? []), gone] } };
  const moved = apply({
    manager: "a",
    live: { ...before, apiVersion: "g/v2" },
    patch: { ...thing({ size: 1 }), apiVersion: "g/v2" },
    apiVersion: "g/v2",
  });
  assert.deepEqual(
    moved.metadata.managedFields?.map(({ manager: name, apiVersion }) => `${name} ${apiVersion}`),
    ["a g/v2"],
  );
  assert.deepEqual(specOf(moved), { size: 1 });
});

test("[SSA29] fields that an endpoint does not take are owned by nobody through it", () => {
  const created = apply({ manager: "a", patch: { ...thing({ size: 1 }), status: { size: 1 } } });
  assert.deepEqual(owned(created), { "a Apply": { "f:spec": { "f:size": {} } } });
  const status = update({
    manager: "b",
    live: stored(created),
    next: { ...created, spec: { size: 9 }, status: { size: 2 } },
    subresource: "status",
  });
  assert.deepEqual(owned(status), { "a Apply": { "f:spec": { "f:size": {} } }, "b Update status": { "f:status": { "f:size": {} } } });
});

test("[SSA33] prototype keys are plain data", () => {
  const labels = JSON.parse('{"__proto__":"1","constructor":"2"}');
  const live = stored(apply({ manager: "a", patch: thing({ labels }) }));
  assert.deepEqual(Object.keys(specOf(live)["labels"] as object), ["__proto__", "constructor"]);
  assert.deepEqual(owned(live), JSON.parse('{"a Apply":{"f:spec":{"f:labels":{"f:__proto__":{},"f:constructor":{}}}}}'));
  const less = apply({ manager: "a", live, patch: thing({ labels: JSON.parse('{"__proto__":"3"}') }) });
  assert.deepEqual(JSON.stringify(specOf(less)), '{"labels":{"__proto__":"3"}}');
});

type Defaults<T> = Omit<T, "apiVersion" | "now" | "force"> & Partial<T>;

function update(request: Defaults<UpdateRequest>): DynamicObject {
  return manager.update({ apiVersion: "g/v1", now: "2020-01-01T00:00:00Z", ...request });
}

function apply(request: Defaults<ApplyRequest>): DynamicObject {
  return manager.apply({ apiVersion: "g/v1", now: "2020-01-01T00:00:00Z", force: false, ...request });
}

function thing(spec?: JsonObject): DynamicObject {
  return { apiVersion: "g/v1", kind: "Thing", metadata: { name: "t" }, ...(spec === undefined ? {} : { spec }) };
}

function stored(object: DynamicObject): DynamicObject {
  return { ...object, metadata: { ...object.metadata, uid: "u" } };
}

function specOf(object: DynamicObject): JsonObject {
  return object["spec"] as JsonObject;
}

/** What each manager owns, by name, operation and subresource. */
function owned({ metadata }: DynamicObject): object {
  const entries = (metadata.managedFields ?? []).map(({ manager: name, operation, subresource, fieldsV1 }) => [
    [name, operation, subresource].filter(Boolean).join(" "),
    fieldsV1,
  ]);
  return Object.fromEntries(entries);
}

function times({ metadata }: DynamicObject): object {
  return Object.fromEntries((metadata.managedFields ?? []).map(({ manager: name, time }) => [name, time]));
}

function refusalOf(action: () => unknown): ApiError {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  }
  assert.fail("it was not refused");
}
