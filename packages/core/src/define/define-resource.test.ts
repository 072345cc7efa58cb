import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { Condition } from "../object/condition.ts";
import type { Draft, KubeObject } from "../object/kube-object.ts";
import type { ObjectOf, Resource } from "../object/resource.ts";
import { Everything } from "../testing/everything.ts";
import { defineResource } from "./define-resource.ts";
import { DefinitionError } from "./definition-error.ts";
import * as k from "./k.ts";

const group = "samplecontroller.example.com";

const Bar = defineResource({
  group,
  version: "v1alpha1",
  kind: "Bar",
  spec: z.object({
    deploymentName: k.dnsLabel().describe("Name of the Deployment that this Bar manages."),
    replicas: z.int32().min(0).default(1),
    retry: z.object({ limit: z.int32().default(3) }).optional(),
  }),
  status: z.object({ availableReplicas: z.int32().min(0).default(0), conditions: k.conditions() }),
  columns: { Replicas: "spec.replicas", Available: "status.availableReplicas" },
});
type Bar = ObjectOf<typeof Bar>;

/** Compiles only if the two types are the same. */
function sameType<A, B>(_: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false): void {}

function problemsOf(define: () => unknown): readonly string[] {
  try {
    define();
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
    throw error;
  }
  return [];
}

test("[DEF1] a definition is a resource, with the names that follow from its kind", () => {
  const { kind, version, plural, singular, listKind, scope } = Bar;
  assert.deepEqual(
    { kind, version, plural, singular, listKind, scope, group: Bar.group },
    { kind: "Bar", version: "v1alpha1", plural: "bars", singular: "bar", listKind: "BarList", scope: "Namespaced", group },
  );
  const resource: Resource<Bar> = Bar;
  const resources: readonly Resource[] = [Bar, Everything];
  assert.equal(resources.includes(resource), true);
});

test("[DEF1] its CustomResourceDefinition says all of it, and is always the same object", () => {
  const { description: _, ...condition } = Bar.openApiSchema.properties?.["status"]?.properties?.["conditions"] ?? {};
  assert.equal(Bar.crd(), Bar.crd());
  assert.deepEqual(Bar.crd(), {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `bars.${group}` },
    spec: {
      group,
      names: { kind: "Bar", listKind: "BarList", plural: "bars", singular: "bar" },
      scope: "Namespaced",
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              required: ["spec"],
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    deploymentName: {
                      description: "Name of the Deployment that this Bar manages.",
                      type: "string",
                      minLength: 1,
                      maxLength: 63,
                      pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
                    },
                    replicas: { type: "integer", format: "int32", minimum: 0, default: 1 },
                    retry: { type: "object", properties: { limit: { type: "integer", format: "int32", default: 3 } } },
                  },
                  required: ["deploymentName"],
                },
                status: {
                  type: "object",
                  properties: { availableReplicas: { type: "integer", format: "int32", minimum: 0, default: 0 }, conditions: condition },
                },
              },
            },
          },
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
            { name: "Available", type: "integer", jsonPath: ".status.availableReplicas" },
            { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
          ],
        },
      ],
    },
  });
});

test("[DEF2] all problems of a definition are reported at once, each with its path", () => {
  const define = (): unknown =>
    defineResource({ group, version: "v1", kind: "Bad", spec: z.object({ when: z.date(), list: z.array(z.object({ id: z.bigint() })) }) });
  assert.throws(define, {
    name: "DefinitionError",
    message: [
      "cannot define Bad (samplecontroller.example.com/v1): 2 problems",
      "  spec.when: z.date() has no JSON form; use k.time()",
      "  spec.list[*].id: a bigint, such as of z.int64(), does not fit into a JSON number; use z.int(), or a string",
    ].join("\n"),
  });
  assert.throws(() => defineResource({ group, version: "v1", kind: "Bad", spec: z.object({ when: z.date() }) }), {
    message: "cannot define Bad (samplecontroller.example.com/v1): spec.when: z.date() has no JSON form; use k.time()",
  });
});

test("[DEF2] what is not a schema is a problem, not a crash", () => {
  const spec: object = { shape: {} };
  assert.deepEqual(
    // @ts-expect-error The compiler says so too.
    problemsOf(() => defineResource({ group, version: "v1", kind: "Bad", spec, status: spec })),
    ["spec: this is not a schema of zod 4", "status: this is not a schema of zod 4"],
  );
});

test("[DEF3] versions have their own schemas, flags and types", () => {
  const Multi = defineResource({
    group,
    version: "v1",
    kind: "Multi",
    spec: z.object({ size: z.int32() }),
    versions: {
      v1beta1: { spec: z.object({ count: z.int32().default(2) }), columns: { Count: "spec.count" }, storage: true, deprecated: "use v1" },
      v1alpha1: { fields: { data: z.string() }, served: false, deprecated: true },
    },
  });
  const flags = Multi.crd().spec.versions.map(({ name, served, storage, deprecated, deprecationWarning }) => [
    name,
    served,
    storage,
    deprecated,
    deprecationWarning,
  ]);
  assert.deepEqual(flags, [
    ["v1", true, false, undefined, undefined],
    ["v1beta1", true, true, true, "use v1"],
    ["v1alpha1", false, false, true, undefined],
  ]);
  const beta: ObjectOf<typeof Multi.versions.v1beta1> = Multi.versions.v1beta1.parse({ metadata: { name: "a" }, spec: {} });
  assert.deepEqual(beta, { apiVersion: `${group}/v1beta1`, kind: "Multi", metadata: { name: "a" }, spec: { count: 2 } });
  sameType<typeof beta.spec, { readonly count: number }>(true);
  sameType<ObjectOf<typeof Multi.versions.v1alpha1>["data"], string>(true);
  sameType<ObjectOf<typeof Multi.versions.v1>, ObjectOf<typeof Multi>>(true);
});

test("[DEF3] versions that a server would refuse are problems", () => {
  const spec = z.object({});
  const define = (options: object): readonly string[] =>
    problemsOf(() => defineResource({ group, version: "v1", kind: "Bad", spec, ...options }));
  assert.deepEqual(define({ storage: true, versions: { v2: { storage: true } } }), [
    "versions: objects can be stored in one version only, not in v1, v2",
  ]);
  assert.match(define({ storage: false })[0] ?? "", /^storage: another version needs storage: true/);
  assert.match(define({ served: false })[0] ?? "", /^served: the version that the program uses must be served/);
  assert.match(define({ version: "1" })[0] ?? "", /^versions: "1" is not possible: a DNS-1035 label/);
  assert.match(define({ versions: { v2: { spec: z.object({ a: z.date() }) } } })[0] ?? "", /^versions.v2.spec.a: z.date\(\)/);
  assert.match(define({ deprecated: "two\nlines" })[0] ?? "", /^deprecated: the warning must be one line/);
  assert.match(define({ versions: { v1: {} } })[0] ?? "", /^versions.v1: is the version of the definition itself/);
});

test("[DEF4] columns take their type from the field, and an age comes last", () => {
  const columns = Everything.crd().spec.versions[0]?.additionalPrinterColumns ?? [];
  assert.deepEqual(columns, [
    { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
    { name: "Started", type: "date", jsonPath: ".status.started" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status', description: "Whether it is ready" },
    { name: "Target", type: "string", jsonPath: ".spec.target", priority: 1 },
    { name: "Ratio", type: "number", jsonPath: ".spec.ratio", format: "double" },
    { name: "Paused", type: "boolean", jsonPath: ".spec.paused" },
    { name: "Tag", type: "string", jsonPath: ".spec.tags[0]", priority: 1 },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ]);
  const spec = z.object({ a: z.string() });
  const own = defineResource({
    group,
    version: "v1",
    kind: "Own",
    spec,
    columns: { Age: "metadata.creationTimestamp", A: { path: "spec.a", type: "date" } },
  });
  assert.deepEqual(
    own.crd().spec.versions[0]?.additionalPrinterColumns?.map(({ name, type }) => [name, type]),
    [
      ["Age", "date"],
      ["A", "date"],
    ],
  );
  assert.equal(defineResource({ group, version: "v1", kind: "None", spec }).crd().spec.versions[0]?.additionalPrinterColumns, undefined);
});

test("[DEF4] [DEF5] the compiler refuses paths that lead nowhere, or to the wrong type", () => {
  const define = (): unknown =>
    defineResource({
      group,
      version: "v1",
      kind: "Bad",
      spec: z.object({ name: z.string(), size: z.int32().min(0), list: z.array(z.string()), inner: z.object({ deep: z.boolean() }) }),
      status: z.object({ size: z.int32().min(0) }),
      columns: {
        Name: "spec.name",
        Deep: "spec.inner.deep",
        // @ts-expect-error there is no such field
        Wrong: "spec.nam",
        // @ts-expect-error an object has no single value
        Inner: "spec.inner",
        // @ts-expect-error nor has a list
        List: "spec.list",
        // @ts-expect-error there are no conditions
        Ready: { condition: "Ready" },
      },
      scale: {
        // @ts-expect-error a name is not a number of replicas
        specReplicasPath: "spec.name",
        statusReplicasPath: "status.size",
        // @ts-expect-error nor is a number a selector
        labelSelectorPath: "status.size",
      },
      selectableFields: [
        "spec.name",
        // @ts-expect-error metadata can be selected by anyway
        "metadata.name",
      ],
      // @ts-expect-error a rule can only blame a field that is there
      rules: [{ rule: "true", fieldPath: "spec.wrong" }],
    });
  assert.deepEqual(problemsOf(define), [
    "the rule true blames .spec.wrong, which is not a field",
    "columns.Wrong: there is no field spec.nam",
    "columns.Inner: the field spec.inner has no single value to show; use { jsonPath, type }",
    "columns.List: the field spec.list has no single value to show; use { jsonPath, type }",
    "scale: spec.name must be a number of replicas; use z.int32().min(0)",
    "scale: status.size must be a string",
    "selectableFields: metadata.name is not a string, boolean or whole number",
  ]);
  // @ts-expect-error a rule inside a schema can only blame a field below it
  z.object({ a: z.string() }).check(k.rule("true", { fieldPath: "b" }));
  // @ts-expect-error a key must be a field of the items
  k.listMap(z.object({ a: z.string() }), "b");
});

test("[DEF5] scale and selectable fields", () => {
  const [version] = Everything.crd().spec.versions;
  assert.deepEqual(version?.subresources, {
    status: {},
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
  });
  assert.deepEqual(version?.selectableFields, [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.paused" }, { jsonPath: ".spec.replicas" }]);
  const spec = z.object(Object.fromEntries("abcdefghi".split("").map((name) => [name, z.string()])));
  const selectableFields = "abcdefghi".split("").map((name): `spec.${string}` => `spec.${name}`);
  assert.deepEqual(
    problemsOf(() => defineResource({ group, version: "v1", kind: "Many", spec, selectableFields })),
    ["selectableFields: there are 9, and at most 8 are possible"],
  );
});

test("[DEF6] names that a server would refuse are problems", () => {
  const spec = z.object({});
  const define = (options: object): readonly string[] =>
    problemsOf(() => defineResource({ group, version: "v1", kind: "Bar", spec, ...options }));
  assert.deepEqual(define({ plural: "barren", singular: "bar", shortNames: ["b"], categories: ["all"], scope: "Cluster" }), []);
  assert.deepEqual(define({ group: "local" }), ['group: "local" is not possible: it must be a domain with at least one dot']);
  assert.match(define({ group: "Example.com" })[0] ?? "", /^group: "Example.com" is not possible: a lowercase RFC 1123 subdomain/);
  assert.match(
    define({ group: "apps.k8s.io" })[0] ?? "",
    /^group: "apps.k8s.io" belongs to the Kubernetes project; use a domain of yours, or annotations/,
  );
  assert.deepEqual(define({ group: "apps.k8s.io", annotations: { "api-approved.kubernetes.io": "unapproved, experimental-only" } }), []);
  assert.match(define({ kind: "My Bar" })[0] ?? "", /^kind: "My Bar" is not possible/);
  assert.match(define({ plural: "Bars" })[0] ?? "", /^plural: "Bars" is not possible/);
  assert.match(define({ shortNames: ["b_r"] })[0] ?? "", /^shortNames: "b_r" is not possible/);
  assert.match(define({ categories: [""] })[0] ?? "", /^categories: "" is not possible/);
  assert.match(define({ fields: { status: z.string() } })[0] ?? "", /^fields: "status" is not a further field/);
});

test("[DEF1] names can be limited, as the server limits them, and the sample keeps to it", () => {
  const Named = defineResource({
    group: "example.com",
    version: "v1",
    kind: "Named",
    names: {
      name: z
        .string()
        .max(5)
        .regex(/^[a-z]+$/),
    },
    spec: z.object({}),
    columns: { Created: "metadata.creationTimestamp" },
  });
  const { metadata } = Named.crd().spec.versions[0]?.schema.openAPIV3Schema.properties ?? {};
  assert.deepEqual(metadata, { type: "object", properties: { name: { type: "string", maxLength: 5, pattern: "^[a-z]+$" } } });
  assert.throws(() => Named.parse({ metadata: { name: "abcdef" }, spec: {} }), {
    message: 'Named.example.com "abcdef" is invalid: metadata.name: Too long: may not be more than 5 bytes',
  });
  assert.equal(Named.sample().metadata.name, "named");
});

test("[DEF1] names are limited in each version, unless it limits them otherwise, and described in each", () => {
  const Named = defineResource({
    group: "example.com",
    version: "v1",
    kind: "Named",
    description: "Has a name.",
    names: { name: z.string().max(5) },
    spec: z.object({}),
    versions: {
      v2: { spec: z.object({}) },
      v3: { spec: z.object({}), description: "Has a long name.", names: { name: z.string().max(9) } },
      v4: { spec: z.object({}), names: {} },
    },
  });
  const { v1, v2, v3, v4 } = Named.versions;
  const maxLengths = [v1, v2, v3, v4].map(({ openApiSchema }) => openApiSchema.properties?.["metadata"]?.properties?.["name"]?.maxLength);
  assert.deepEqual(maxLengths, [5, 5, 9, undefined]);
  assert.throws(() => v2.parse({ metadata: { name: "abcdef" }, spec: {} }), /metadata\.name: Too long/);
  const descriptions = Named.crd().spec.versions.map(({ schema }) => schema.openAPIV3Schema.description);
  assert.deepEqual(descriptions, ["Has a name.", "Has a name.", "Has a long name.", "Has a name."]);
});

test("[DEF9] a map of anything keeps single values, and of objects no more than that they are there", () => {
  const Free = defineResource({
    group: "example.com",
    version: "v1",
    kind: "Free",
    spec: z.record(z.string(), z.unknown()).check(k.openApi({ type: "object", additionalProperties: true })),
  });
  const { spec } = Free.crd().spec.versions[0]?.schema.openAPIV3Schema.properties ?? {};
  assert.deepEqual(spec, { type: "object", additionalProperties: true });
  const kept = Free.parse({ metadata: { name: "a" }, spec: { a: 1, b: { c: 1 }, d: [1, { x: 1 }] } }).spec;
  assert.deepEqual(kept, { a: 1, b: {}, d: [1, {}] });
});

test("[DEF13] an object is read with its defaults, and written without them", () => {
  interface Expected {
    readonly apiVersion: "samplecontroller.example.com/v1alpha1";
    readonly kind: "Bar";
    readonly spec: { readonly deploymentName: string; readonly replicas: number; readonly retry?: { readonly limit: number } | undefined };
    readonly status?: { readonly availableReplicas: number; readonly conditions?: readonly Condition[] | undefined };
  }
  sameType<Bar["apiVersion"], Expected["apiVersion"]>(true);
  sameType<Bar["kind"], Expected["kind"]>(true);
  sameType<Bar["spec"], Expected["spec"]>(true);
  sameType<NonNullable<Bar["status"]>["availableReplicas"], number>(true);

  const draft: Draft<Bar> = { metadata: { generateName: "bar-" }, spec: { deploymentName: "web" } };
  const bar: Bar = create(Bar, draft);
  const replicas: number = bar.spec.replicas;
  assert.equal(replicas, 1);
  // @ts-expect-error the name of the Deployment has no default
  const incomplete: Draft<Bar> = { metadata: { name: "a" }, spec: { replicas: 1 } };
  // @ts-expect-error the status is not for users to write
  const reported: Draft<Bar> = { metadata: { name: "a" }, spec: { deploymentName: "web" }, status: { availableReplicas: 1 } };
  // @ts-expect-error objects are read-only
  const change = (): number => (bar.spec.replicas = 2);
  assert.ok(Bar.validate(incomplete).length > 0 && Bar.validate(reported).length === 0 && typeof change === "function");
});

test("[DEF13] a resource may have fields beside its spec, or no spec at all", () => {
  const Settings = defineResource({
    group,
    version: "v1",
    kind: "Settings",
    plural: "settings",
    scope: "Cluster",
    fields: { data: z.record(z.string(), z.string()), sealed: z.boolean().default(false) },
  });
  const settings = Settings.parse({ metadata: { name: "a" }, data: { a: "b" } });
  assert.deepEqual([settings.data["a"], settings.sealed], ["b", false]);
  assert.deepEqual(Settings.openApiSchema.required, ["data"]);
  assert.equal(Settings.crd().spec.versions[0]?.subresources, undefined);
  const draft: Draft<ObjectOf<typeof Settings>> = { metadata: { name: "a" }, data: {} };
  assert.deepEqual(Settings.validate({ ...draft, metadata: { name: "a", namespace: "b" } }), [
    { type: "FieldValueForbidden", field: "metadata.namespace", body: "Forbidden: not allowed on this type" },
  ]);
});

/** As a client would: it takes a draft and returns what the server stored. */
function create<T extends KubeObject>(resource: Resource<T> & { parse(object: unknown): T }, draft: Draft<T>): T {
  return resource.parse({ ...draft, metadata: { name: "bar-x", ...draft.metadata } });
}
