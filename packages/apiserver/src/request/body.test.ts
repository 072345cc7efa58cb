import assert from "node:assert/strict";
import { test } from "node:test";
import { openSchema } from "../server-schemas.ts";
import { decodeBody } from "./body.ts";

const expected = { group: "", version: "v1", kind: "ConfigMap", schema: openSchema } as const;

function messageOf(text: string): string {
  const options = { fieldValidation: "Ignore", warn: () => {}, knows: () => true } as const;
  try {
    decodeBody(Buffer.from(text), "application/json", expected, options);
  } catch (error) {
    return error instanceof Error ? error.message : assert.fail();
  }
  return "";
}

test("[BODY5] what is no object, or names its type otherwise than by a text, is refused for that, though a number in it is beyond all that can be kept", () => {
  assert.match(messageOf("1e999"), /unrecognized .* json: cannot unmarshal number into Go value of type struct .* \(3165393939\)$/);
  assert.match(messageOf("[1e999]"), /unrecognized .* json: cannot unmarshal array into Go value of type struct /);
  assert.match(messageOf('{"kind":1e999}'), /unrecognized .* json: cannot unmarshal number into Go struct field \.kind of type string/);
  assert.match(messageOf('{"a":1e999}'), /json: cannot unmarshal number 1e999 into Go value of type float64$/);
});
