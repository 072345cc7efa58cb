import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldFact, StructFact, TypeFact } from "./struct-facts.ts";
import { typeFiles } from "./type-files.ts";

const string: TypeFact = { kind: "leaf", name: "string" };
const objectMeta: TypeFact = { kind: "struct", name: "meta.v1.ObjectMeta" };
const podKind = { group: "", version: "v1", kind: "Pod", struct: "k8s.io/api/core/v1.Pod" };
const jobKind = { group: "batch", version: "v1", kind: "Job", struct: "k8s.io/api/batch/v1.Job" };
const pods = { name: "pods", kind: "Pod", singular: "pod", namespaced: true, verbs: [] };
const jobs = { name: "jobs", kind: "Job", singular: "job", namespaced: true, verbs: [] };
const groups = [
  { group: "", versions: [{ version: "v1", resources: [pods] }] },
  {
    group: "batch",
    versions: [
      { version: "v1", resources: [jobs] },
      { version: "v1beta1", resources: [] },
    ],
  },
];

test("a kind becomes a type with literal names and a value; versions that are not served by default get no file", () => {
  const files = typeFiles([struct("core.v1.Pod", [field("metadata", objectMeta)]), struct("batch.v1.Job", [])], [podKind, jobKind], groups);
  assert.deepEqual([...files.keys()], ["batch/v1.ts", "core/v1.ts", "meta/v1.ts"]);
  assert.equal(
    files.get("core/v1.ts"),
    `import { resource } from "@kaji/core";
import type { ObjectMeta, Resource } from "@kaji/core";

/** An object of the kind Pod in v1. */
export interface Pod {
  readonly apiVersion: "v1";
  readonly kind: "Pod";
  readonly metadata: ObjectMeta;
}

/** The resource pods in v1. */
export const Pod: Resource<Pod> = resource({ group: "", version: "v1", kind: "Pod", plural: "pods", scope: "Namespaced" });
`,
  );
});

test("a field's type follows from Go and OpenAPI", () => {
  const text = fileOf([
    field("needed", string, { required: true }),
    field("port", { kind: "list", items: { kind: "leaf", name: "intOrString" }, wrapped: false }),
    field("limits", { kind: "map", values: { kind: "leaf", name: "quantity" } }),
    field("$ref", string),
    field("x-y", { kind: "leaf", name: "int64" }),
    field("metadata", objectMeta),
    field("selector", { kind: "struct", name: "meta.v1.LabelSelector" }),
  ]);
  for (const line of [
    "readonly needed: string;",
    "readonly port?: readonly (number | string)[];",
    "readonly limits?: Readonly<Record<string, string>>;",
    "readonly $ref?: string;",
    'readonly "x-y"?: number;',
    "readonly metadata?: Partial<ObjectMeta>;",
    "readonly selector?: LabelSelector;",
  ]) {
    assert.ok(text.includes(`  ${line}\n`), `${line} is not in\n${text}`);
  }
});

test("values that a named type has become a type of that name", () => {
  const text = fileOf([
    field("phase", string, { enum: ["A", "B"], scalarName: "k8s.io/api/core/v1.Phase" }),
    field("other", string, { enum: ["C"] }),
  ]);
  assert.match(text, /readonly phase\?: Phase;\n {2}readonly other\?: "C";/);
  assert.match(text, /export type Phase = "A" \| "B";/);
});

test("types of other versions are imported as types only, under another name where theirs is taken", () => {
  const structs = [struct("core.v1.Spec", []), struct("core.v1.Only", []), struct("batch.v1.Spec", [reference("Spec"), reference("Only")])];
  const text = typeFiles(structs, [podKind, jobKind], groups).get("batch/v1.ts") ?? "";
  assert.match(text, /^import type \{ Only, Spec as CoreSpec \} from "\.\.\/core\/v1\.ts";/m);
  assert.match(text, /readonly spec\?: CoreSpec;\n {2}readonly only\?: Only;/);
});

function reference(name: string): FieldFact {
  return field(name.toLowerCase(), { kind: "struct", name: `core.v1.${name}` });
}

function fileOf(fields: readonly FieldFact[]): string {
  return typeFiles([struct("core.v1.PodSpec", fields)], [podKind, jobKind], groups).get("core/v1.ts") ?? "";
}

function struct(name: string, fields: readonly FieldFact[]): StructFact {
  return { name, fields, published: true };
}

function field(name: string, type: TypeFact, facts: Partial<FieldFact> = {}): FieldFact {
  const flags = { pointer: false, omitEmpty: false, omitZero: false, inline: false, required: false };
  return { name, number: 1, type, ...flags, ...facts };
}
