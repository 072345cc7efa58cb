import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldFact, StructFact, TypeFact } from "./struct-facts.ts";
import { structTypesFile } from "./struct-types-file.ts";

const kinds = [
  { group: "", version: "v1", kind: "Pod", struct: "k8s.io/api/core/v1.Pod" },
  { group: "", version: "v1", kind: "PodLogOptions", struct: "k8s.io/api/core/v1.PodLogOptions" },
];

test("each published struct that has a type is there under its name, objects as drafts", () => {
  const structs = [
    struct("core.v1.Pod", [metadata("meta.v1.ObjectMeta")]),
    struct("core.v1.PodList", [metadata("meta.v1.ListMeta")]),
    struct("core.v1.PodLogOptions", []),
    struct("core.v1.PodSpec", []),
    { ...struct("core.v1.Secluded", []), published: false },
    struct("core.v2.PodSpec", []),
    struct("meta.v1.LabelSelector", []),
    struct("meta.v1.ObjectMeta", []),
  ];
  assert.equal(
    structTypesFile(structs, kinds, ["core/v1.ts", "meta/v1.ts"]),
    `import type * as core from "@kaji/core";
import type * as coreV1 from "../core/v1.ts";
import type * as metaV1 from "../meta/v1.ts";

/** What the structs behind the built-in kinds are in TypeScript, as a part of another type. */
export interface StructTypes {
  readonly "core.v1.Pod": core.Draft<coreV1.Pod>;
  readonly "core.v1.PodSpec": coreV1.PodSpec;
  readonly "meta.v1.LabelSelector": core.LabelSelector;
  readonly "meta.v1.ObjectMeta": Partial<core.ObjectMeta>;
}
`,
  );
});

test("a struct that contains itself is not there, nor one that contains it", () => {
  const part = (name: string): FieldFact => ({ ...metadata(name), name: "part" });
  const structs = [
    struct("core.v1.Box", [part("core.v1.Tree")]),
    struct("core.v1.Leaf", []),
    struct("core.v1.Tree", [
      part("core.v1.Leaf"),
      { ...part(""), type: { kind: "map", values: { kind: "struct", name: "core.v1.Tree" } } },
    ]),
  ];
  const names = [...structTypesFile(structs, [], ["core/v1.ts"]).matchAll(/readonly "(.+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, ["core.v1.Leaf"]);
});

function struct(name: string, fields: readonly FieldFact[]): StructFact {
  return { name, fields, published: true };
}

function metadata(name: string): FieldFact {
  const type: TypeFact = { kind: "struct", name };
  return { name: "metadata", number: 1, type, pointer: false, omitEmpty: true, omitZero: false, inline: false, required: false };
}
