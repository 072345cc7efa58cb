import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, k, z } from "@kaji/core/define";
import { convert } from "@kaji/runtime";
import { checkConversion } from "./check-conversion.ts";

const span = z.object({ least: z.int32().min(0).max(20), most: z.int32().min(0).max(20) });
const ordered = k.rule<{ least: number; most: number }>("self.least <= self.most", { message: "least exceeds most" });
const naming = { group: "testing.kaji.dev", version: "v1", kind: "Span" } as const;

/** What is tried, with the rules of both versions: those of the hub, and those of the other. */
function spans(hub: typeof span, spoke: typeof span, seen: Set<boolean>) {
  const Span = defineResource({ ...naming, spec: hub, versions: { v1alpha1: { spec: spoke } } });
  return convert(Span, {
    v1alpha1: ({ map, same }) => [
      same("spec.most"),
      map("spec.least", "spec.least", {
        toHub: (least) => {
          seen.add(least > 10);
          return least;
        },
        fromHub: (least) => least,
      }),
    ],
  });
}

test("[ARB1] a conversion is tried with objects that keep the rules of their version, changed ones too", () => {
  const seen = new Set<boolean>();
  checkConversion(spans(span.check(ordered), span.check(ordered), seen));
  assert.deepEqual(seen, new Set([true, false]));
});

test("[ARB3] an object that breaks a rule of the version it was converted to is told", () => {
  assert.throws(
    () => checkConversion(spans(span.check(ordered), span, new Set())),
    /^Error: Span: from v1alpha1 to v1, which makes \{.*spec: Invalid value: least exceeds most\n {2}object: \{/s,
  );
});

test("[ARB2] rules that neither an object nor the sample keeps are an error that says so", () => {
  const none = k.rule<{ least: number; most: number }>("self.least > self.most + 30", { message: "out of reach" });
  assert.throws(() => checkConversion(spans(span.check(none), span.check(none), new Set())), {
    message:
      "Span: none of 200 objects that were made by the schema of v1alpha1 keeps its CEL rules, nor does the sample: spec: Invalid value: out of reach. " +
      "Give examples to the schema, with .meta({ example }), of which the sample keeps them",
  });
});
