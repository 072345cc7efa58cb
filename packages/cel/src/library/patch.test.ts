import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "../compile.ts";
import { toJson } from "../value/to-json.ts";

test("[CEL18] a patch is made of objects, each of the type that its place names", () => {
  assert.deepEqual(made("Object{spec: Object.spec{replicas: 3, ?paused: optional.none()}}"), { spec: { replicas: 3 } });
  assert.deepEqual(made("[JSONPatch{op: 'remove', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b~c')}]"), [
    { op: "remove", path: "/metadata/labels/a~1b~0c" },
  ]);
  assert.equal(made("Object{a: 1} == Object{a: 1} && Object{a: 1} != Object{a: 2} && Object{}.?a == optional.none()"), true);
  assert.deepEqual(made("Object{__proto__: Object.x{}, constructor: 1}"), JSON.parse('{"__proto__": {}, "constructor": 1}'));
});

test("[CEL18] what is no field, or not of the type of the field, is refused before it is evaluated", () => {
  assert.match(refusal("JSONPatch{op: 1}"), /expected type of field 'op' is 'string' but provided type is 'int'/);
  assert.match(refusal("JSONPatch{nothing: 1}"), /undefined field 'nothing'/);
  assert.match(refusal("int{}"), /'int' is not a message type/);
  assert.match(String(made("JSONPatch{op: dyn(1)}")), /unexpected type int64 for JSONPatchType 'op' field/);
});

test("[CEL18] where nothing is changed, there is nothing to make a patch of", () => {
  for (const text of ["Object{}", "JSONPatch{}", "jsonpatch.escapeKey('a')"]) {
    assert.equal(compile(text, { variables: {} }).type, "Issues", text);
  }
});

function made(text: string): unknown {
  const compiled = compile(text, { variables: {}, makesPatches: true });
  assert.ok(compiled.type === "Program", text);
  const outcome = compiled.program.evaluate({});
  return outcome.type === "Value" ? toJson(outcome.value) : outcome.message;
}

function refusal(text: string): string {
  const compiled = compile(text, { variables: {}, makesPatches: true });
  return compiled.type === "Issues" ? compiled.message : compiled.type;
}
