import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { stringFormat } from "./string-formats.ts";

/** What kube-openapi takes for texts of a format; see tools/vectors/custom. */
interface FormatVector {
  readonly format: string;
  readonly texts: readonly string[];
  readonly valid: string;
}

const vectors: readonly FormatVector[] = JSON.parse(readFileSync(new URL("../../../testdata/formats.json", import.meta.url), "utf8"));

for (const { format, texts, valid } of vectors) {
  test(`[CRD21] ${format}`, () => {
    const check = stringFormat(format);
    assert.ok(check !== undefined && texts.length > 40);
    for (const [index, text] of texts.entries()) assert.equal(check(text), valid[index] === "1", JSON.stringify(text));
  });
}

test("[CRD21] other formats mean nothing", () => {
  for (const format of ["", "foo", "int32", "__proto__"]) assert.equal(stringFormat(format), undefined);
});
