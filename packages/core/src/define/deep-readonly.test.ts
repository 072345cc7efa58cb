import assert from "node:assert/strict";
import { test } from "node:test";
import type { Drafted, KubeObject } from "../object/kube-object.ts";
import type { DeepReadonly } from "./deep-readonly.ts";

interface Fleet extends KubeObject {
  spec: { tags: string[]; flagship: { name: string } };
}

test("a field of a field and an item of a list cannot be changed, though the type of the kind says they can", () => {
  const change = ({ spec }: DeepReadonly<Fleet>): void => {
    // @ts-expect-error -- what has a name, as metadata does, is read-only too
    spec.flagship.name = "two";
    // @ts-expect-error -- a list has no method that changes it
    spec.tags.push("b");
  };
  const spec = { tags: ["a"], flagship: { name: "one" } };
  change({ apiVersion: "sea.example.com/v1", kind: "Fleet", metadata: { name: "north" }, spec });
  assert.deepEqual(spec, { tags: ["a", "b"], flagship: { name: "two" } }, "only the compiler is in the way");
});

test("an object that is read has the fields it is read with, and none that say how it is written", () => {
  type Read = DeepReadonly<Fleet & Drafted<{ readonly spec: { readonly tags?: readonly string[] } }>>;
  const all: Readonly<Record<keyof Read, true>> = { apiVersion: true, kind: true, metadata: true, spec: true };
  assert.equal(Object.keys(all).length, 4);
});
