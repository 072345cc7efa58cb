import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { gnosticDocument } from "./gnostic-document.ts";

/** A message: its fields in their order, each a number and what is in it. */
type Message = readonly (readonly [number: number, value: number | Uint8Array])[];

test("[OAS5] a document is the message that gnostic defines", () => {
  const [version, info, paths, definitions] = read(gnosticDocument(small));
  assert.deepEqual(fieldText(version), [1, "2.0"]);
  assert.deepEqual(read(bytesOf(info)).map(fieldText), [
    [1, "Kubernetes"],
    [2, "1.36"],
  ]);
  assert.deepEqual([paths?.[0], definitions?.[0]], [8, 9]);
});

test("[OAS5] a path has its operations, parameters by what they are, and extensions as YAML", () => {
  const paths = read(bytesOf(find(gnosticDocument(small), 8)));
  const [name, item] = read(bytesOf(paths[0]));
  assert.deepEqual(fieldText(name), [1, "/foos/{name}"]);
  const patch = bytesOf(find(bytesOf(item), 8));
  const parameters = read(patch)
    .filter(([number]) => number === 8)
    .map(([, value]) => read(value as Uint8Array));
  const [query, reference] = parameters;
  const queryParameter = within(bytesOf(query?.[0]), 2, 3);
  assert.deepEqual(fieldText(find(queryParameter, 4)), [4, "fieldValidation"]);
  assert.deepEqual(reference?.[0]?.[0], 2);
  assert.deepEqual(fieldText(read(bytesOf(reference?.[0]))[0]), [1, "#/parameters/pretty"]);
  const [key, value] = read(bytesOf(find(patch, 13)));
  assert.deepEqual(fieldText(key), [1, "x-kubernetes-group-version-kind"]);
  assert.deepEqual(JSON.parse(fieldText(read(bytesOf(value))[0])[1]), { group: "", kind: "Foo", version: "v1" });
  const path = within(bytesOf(find(bytesOf(item), 9)), 1, 2, 4);
  assert.deepEqual(fieldText(find(path, 4)), [4, "name"]);
});

test("[OAS5] a schema has its parts, numbers in the form of their type", () => {
  const definitions = read(bytesOf(find(gnosticDocument(small), 9)));
  const schema = bytesOf(find(bytesOf(definitions[0]), 2));
  const properties = read(within(schema, 25)).map(([, value]) => read(value as Uint8Array));
  const [size] = properties.map((property) => bytesOf(property[1]));
  assert.equal(Buffer.from(bytesOf(find(size ?? new Uint8Array(), 9))).readDoubleLE(), 0.5);
  assert.equal(find(size ?? new Uint8Array(), 11)[1], 300);
  assert.equal(Buffer.from(within(size ?? new Uint8Array(), 20, 2)).toString(), '"a"');
  assert.equal(Buffer.from(within(schema, 22, 1)).toString(), "object");
});

const small: JsonValue = {
  swagger: "2.0",
  info: { title: "Kubernetes", version: "1.36" },
  paths: {
    "/foos/{name}": {
      patch: {
        operationId: "patchFoo",
        parameters: [{ name: "fieldValidation", in: "query", type: "string" }, { $ref: "#/parameters/pretty" }],
        responses: { 200: { description: "OK", schema: { $ref: "#/definitions/Foo" } } },
        "x-kubernetes-group-version-kind": { group: "", kind: "Foo", version: "v1" },
      },
      parameters: [{ name: "name", in: "path", type: "string", required: true }],
    },
  },
  definitions: {
    Foo: { type: "object", properties: { size: { type: "string", maxLength: 300, minimum: 0.5, enum: ["a"] } }, unknown: 1 },
  },
};

function read(bytes: Uint8Array): Message {
  const fields: (readonly [number, number | Uint8Array])[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at] ?? assert.fail("the message ends too early");
      at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.byteLength) {
    const tag = varint();
    const wireType = tag % 8;
    if (wireType === 0) fields.push([Math.floor(tag / 8), varint()]);
    else {
      const length = wireType === 1 ? 8 : varint();
      fields.push([Math.floor(tag / 8), bytes.subarray(at, at + length)]);
      at += length;
    }
  }
  assert.equal(at, bytes.byteLength);
  return fields;
}

function find(bytes: Uint8Array, number: number): Message[number] {
  return read(bytes).find(([each]) => each === number) ?? assert.fail(`field ${number} is missing`);
}

/** The field of a field of a field. */
function within(bytes: Uint8Array, ...numbers: readonly number[]): Uint8Array {
  return numbers.reduce((inner, number) => bytesOf(find(inner, number)), bytes);
}

function bytesOf(field: Message[number] | undefined): Uint8Array {
  const value = field?.[1];
  return value instanceof Uint8Array ? value : assert.fail("this field is not made of bytes");
}

function fieldText(field: Message[number] | undefined): readonly [number: number | undefined, text: string] {
  return [field?.[0], Buffer.from(bytesOf(field)).toString("utf8")];
}
