import assert from "node:assert/strict";
import { test } from "node:test";
import { compile } from "../compile.ts";
import { dynType, formatType, intType, listType, mapType, objectType, optionalType, stringType } from "./type.ts";
import type { Type } from "./type.ts";

const variables = {
  self: objectType(
    "self",
    new Map<string, Type>([
      ["name", stringType],
      ["ports", listType(intType)],
    ]),
  ),
  labels: mapType(stringType, stringType),
  maybe: optionalType(intType),
  any: dynType,
  "request.user": stringType,
};

test("[CEL4] every expression has the type that cel-go finds", () => {
  const cases: readonly (readonly [text: string, type: string])[] = [
    ["self.ports.map(p, string(p))", "list(string)"],
    ["self.ports.filter(p, p > 1)", "list(int)"],
    ["labels.transformMap(k, v, size(v))", "map(string, int)"],
    ["self.ports.transformMapEntry(i, p, {string(p): i})", "map(string, int)"],
    ["self.?name", "optional_type(string)"],
    ["maybe.optMap(x, string(x)).orValue('')", "string"],
    ["maybe.optFlatMap(x, self.ports[?x])", "optional_type(int)"],
    ["[]", "list(dyn)"],
    ["[[], [1]]", "list(list(int))"],
    ["{}", "map(dyn, dyn)"],
    ["any.a.b[0]", "dyn"],
    ["any + any", "dyn"],
    ["any + 1", "int"],
    ["timestamp('2024-01-01T00:00:00Z') - timestamp(0)", "duration"],
    ["type(self.ports)", "type(list(int))"],
    ["request.user", "string"],
    ["self.ports.sortBy(p, -p)", "list(int)"],
    ["true ? 1 : any", "dyn"],
    ["self.ports.first()", "optional_type(int)"],
    ["cidr('10.0.0.0/8').ip()", "net.IP"],
    ["null", "null"],
  ];
  for (const [text, type] of cases) {
    const compiled = compile(text, { variables });
    assert.equal(compiled.type === "Program" ? formatType(compiled.program.type) : compiled.message, type, text);
  }
});

test("[CEL4] the names of loops hide others, and end with the loop", () => {
  const fine = compile("self.ports.all(self, self > 0) && self.name == ''", { variables });
  assert.equal(fine.type, "Program");
  const gone = compile("self.ports.all(p, p > 0) && p > 0", { variables });
  assert.match(gone.type === "Issues" ? gone.message : "", /1:29: undeclared reference to 'p' \(in container ''\)/);
});

test("[CEL15] names of the prototype are no names", () => {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
    for (const text of [name, `self.${name}`, `${name}()`, `self.${name}()`]) {
      const compiled = compile(text, { variables });
      assert.match(compiled.type === "Issues" ? compiled.message : "accepted", /undeclared reference|undefined field/, text);
    }
  }
});
