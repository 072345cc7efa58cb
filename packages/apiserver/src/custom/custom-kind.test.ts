import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicObject } from "@kaji/core";
import type { KindVersion } from "../kind.ts";
import type { CrdSpec, CrdVersion } from "./definition/crd.ts";
import { createCustomKind } from "./custom-kind.ts";

const schema = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { color: { type: "string" }, size: { type: "integer" }, replicas: { type: "integer" } } },
    status: { type: "object", properties: { replicas: { type: "integer" }, selector: { type: "string" } } },
  },
};

test("[CRD32] a kind is known by the names it was given, and kept under its group and plural", () => {
  const names = { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList", shortNames: ["th"], categories: ["all"] };
  const kind = createCustomKind(crd([version("v1")]), { names });
  const { group, plural, singular, listKind, shortNames, categories, scope, storagePrefix, storageVersion, isCustom } = kind;
  assert.deepEqual(
    { group, plural, singular, kind: kind.kind, listKind, shortNames, categories, scope, storagePrefix, storageVersion, isCustom },
    {
      group: "example.com",
      ...names,
      scope: "Namespaced",
      storagePrefix: "/registry/example.com/things/",
      storageVersion: "example.com/v1",
      isCustom: true,
    },
  );
});

test("[CRD33] the served versions come in the order of preference", () => {
  const given = ["v1beta1", "v1", "foo", "v2alpha1", "v10", "v2"].map((name) => version(name, { storage: name === "v1" }));
  const kind = createCustomKind(crd([...given, version("v11", { storage: false, served: false })]), { names: spec([]).names });
  assert.deepEqual(
    kind.versions.map(({ version: name }) => name),
    ["v10", "v2", "v1", "v1beta1", "v2alpha1", "foo"],
  );
});

test("[CRD34] a deprecated version warns, with its own words or with what to use instead", () => {
  const kind = createCustomKind(
    crd([
      version("v1beta1", { storage: false, deprecated: true }),
      version("v1alpha1", { storage: false, deprecated: true, deprecationWarning: "do not" }),
      version("v1"),
      version("v2", { storage: false, deprecated: true }),
    ]),
    { names: spec([]).names },
  );
  assert.deepEqual(Object.fromEntries(kind.versions.map(({ version: name, deprecation }) => [name, deprecation])), {
    v2: "example.com/v2 Thing is deprecated",
    v1: undefined,
    v1beta1: "example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing",
    v1alpha1: "do not",
  });
});

test("[CRD35] fields are selected by as text; what is not there is empty", () => {
  const { selectableFields = {} } = only(version("v1", { selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }] }));
  const selected = (object: DynamicObject): unknown =>
    Object.fromEntries(Object.entries(selectableFields).map(([name, read]) => [name, read(object)]));
  assert.deepEqual(selected(thing({ spec: { color: "red", size: 3 } })), { "spec.color": "red", "spec.size": "3" });
  assert.deepEqual(selected(thing({})), { "spec.color": "", "spec.size": "" });
});

test("[CRD36] replicas are read and written where the definition says", () => {
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" };
  const { subresources } = only(version("v1", { subresources: { scale } }));
  const subresource = subresources["scale"];
  assert.ok(subresource?.type === "Scale");
  assert.deepEqual(subresource.replicasPath, ["spec", "replicas"]);
  assert.deepEqual(subresource.read(thing({ spec: { replicas: 2 }, status: { replicas: 1, selector: "a=b" } })), {
    specReplicas: 2,
    statusReplicas: 1,
    selector: "a=b",
  });
  assert.deepEqual(subresource.read(thing({})), { specReplicas: undefined, statusReplicas: 0, selector: "" });
  assert.deepEqual(subresource.write(thing({}), 5)["spec"], { replicas: 5 });
  assert.deepEqual(subresource.write(thing({ spec: { size: 1, replicas: 2 } }), 0)["spec"], { size: 1, replicas: 0 });
  assert.throws(() => subresource.read(thing({ spec: { replicas: "two" } })), {
    message: ".spec.replicas accessor error: two is of the type string, expected int64",
  });
});

test("[CRD37] with a status of its own, an object gets it through that endpoint alone", () => {
  const { strategy, subresources } = only(version("v1", { subresources: { status: {} } }));
  const status = subresources["status"];
  assert.ok(status?.type === "Update");
  const old = thing({ spec: { size: 1 }, status: { replicas: 1 } });
  const sent = {
    ...thing({ spec: { size: 2 }, status: { replicas: 2 } }),
    metadata: { name: "thing", labels: { a: "b" }, managedFields: [{ manager: "m" }] },
  };
  const context = {} as never;
  assert.deepEqual(strategy.prepareCreate?.(sent, context)["status"], undefined);
  assert.deepEqual(strategy.prepareUpdate?.(sent, old, context), { ...sent, status: { replicas: 1 } });
  assert.deepEqual(status.strategy.prepareUpdate?.(sent, old, context), {
    ...old,
    metadata: { name: "thing", managedFields: [{ manager: "m" }] },
    status: { replicas: 2 },
  });
  assert.equal(strategy.generationOf, "all-but-metadata-and-status");
  assert.equal(status.strategy.generationOf, "none");
  assert.deepEqual([strategy.resetFields, status.strategy.resetFields], [[["status"]], [["metadata"], ["spec"]]]);
});

test("[CRD37] without it, the status is a field like any other", () => {
  const { strategy, subresources } = only(version("v1"));
  assert.deepEqual(subresources, {});
  assert.equal(strategy.prepareCreate, undefined);
  assert.equal(strategy.generationOf, "all-but-metadata");
  assert.deepEqual(strategy.resetFields, []);
});

test("[CRD38] objects lose what another version does not know; they get the defaults of the version they are kept in", () => {
  const first = { type: "object", properties: { a: { type: "string" }, old: { type: "string", default: "one" } } };
  const second = {
    type: "object",
    properties: { a: { type: "string" }, new: { type: "string", default: "two" }, old: { type: "string" } },
  };
  const kind = createCustomKind(
    crd([version("v1", { schema: { openAPIV3Schema: first } }), version("v2", { storage: false, schema: { openAPIV3Schema: second } })]),
    {
      names: spec([]).names,
    },
  );
  const [v2, v1] = kind.versions;
  assert.ok(v1 !== undefined && v2 !== undefined);
  const written = { ...thing({ a: "x", new: "y" }), apiVersion: "example.com/v2" };
  const kept = v2.toStorage(written);
  assert.deepEqual(kept, thing({ a: "x", old: "one" }));
  assert.deepEqual(v2.fromStorage(kept), { ...thing({ a: "x", old: "one" }), apiVersion: "example.com/v2" });
  assert.deepEqual(v1.fromStorage(thing({ a: "x", gone: 1 })), thing({ a: "x", old: "one" }));
  assert.deepEqual(v1.fromStorage({ ...thing({ a: "x", new: "y" }), apiVersion: "example.com/v2" }), thing({ a: "x" }));
});

test("[CRD39] a conversion that takes a webhook is refused, not skipped", () => {
  const given = crd([version("v1"), version("v2", { storage: false })]);
  const kind = createCustomKind({ ...given, spec: { ...given.spec, conversion: { strategy: "Webhook" } } }, { names: spec([]).names });
  const [v2, v1] = kind.versions;
  assert.throws(() => v2?.toStorage({ ...thing({}), apiVersion: "example.com/v2" }), {
    message: "conversion webhook for example.com/v2, Kind=Thing failed: this server does not call conversion webhooks",
  });
  assert.deepEqual(v1?.fromStorage(thing({ spec: {} })), thing({ spec: {} }));
});

test("[CRD6] the rules in a schema are evaluated, unless something else is badly wrong", () => {
  const ruled = { ...schema, "x-kubernetes-validations": [{ rule: "self.spec.size > 1", message: "never" }] };
  const [ruledVersion] = createCustomKind(crd([version("v1", { schema: { openAPIV3Schema: ruled } })]), { names: spec([]).names }).versions;
  const check = ruledVersion?.strategy.validateCreate;
  assert.deepEqual(check?.(thing({ spec: { size: 2 } })), []);
  assert.deepEqual(
    check?.(thing({ spec: { size: 1 } })).map(({ body }) => body),
    ["Invalid value: never"],
  );
  assert.deepEqual(
    check?.(thing({ spec: { size: "1" } })).map(({ field }) => field),
    ["spec.size", "<nil>"],
  );
});

function only(given: CrdVersion): KindVersion {
  const [first] = createCustomKind(crd([given]), { names: spec([]).names }).versions;
  assert.ok(first !== undefined);
  return first;
}

function crd(versions: readonly CrdVersion[]): {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: CrdSpec;
} {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: spec(versions),
  };
}

function spec(versions: readonly CrdVersion[]): CrdSpec {
  return { group: "example.com", scope: "Namespaced", names: { plural: "things", kind: "Thing" }, versions };
}

function version(name: string, more: Partial<CrdVersion> = {}): CrdVersion {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
}

function thing(fields: Readonly<Record<string, unknown>>): DynamicObject {
  return { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "thing" }, ...fields };
}
