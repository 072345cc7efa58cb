import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseDocument, stringify } from "yaml";
import { readPlainYaml } from "./plain-yaml.ts";

/** As kubectl writes it. */
const written = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==
    server: https://127.0.0.1:6443
  name: kind-kind
contexts:
- context:
    cluster: kind-kind
    user: kind-kind
  name: kind-kind
current-context: kind-kind
kind: Config
preferences: {}
users:
- name: kind-kind
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      args:
      - get-token
      - --cluster
      command: aws
      env: null
      provideClusterInfo: false
`;

test("[KC11] what kubectl writes is read without a parser of YAML", () => {
  assert.deepEqual(readPlainYaml(written), parse(written));
});

const word = fc.constantFrom(
  "a",
  "server",
  "https://1.2.3.4:6443",
  "LS0t==",
  "true",
  "null",
  "1",
  "1.5",
  "0x1f",
  "1e3",
  "~",
  "-",
  "no",
  "2026-01-01",
  "a: b",
  "a b",
  "a #b",
  "",
  "#",
  "'q'",
  '"q"',
  ".inf",
  "<<",
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    word,
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(word, tie("value"), { maxKeys: 3 }),
  ),
})).value;

test("[KC11] whatever is read without a parser, a parser reads the same", () => {
  const options = fc.record({
    indentSeq: fc.boolean(),
    indent: fc.constantFrom(2, 4),
    collectionStyle: fc.constantFrom("any", "block", "flow"),
  });
  fc.assert(
    fc.property(fc.dictionary(word, value), options, (document, how) => agrees(stringify(document, how as object))),
    { numRuns: 500 },
  );
  const piece = fc.constantFrom(
    "a:",
    "b:",
    " ",
    "  ",
    "- ",
    "\n",
    "\n",
    "x",
    "1",
    "true",
    "{}",
    "[]",
    "{ a: b }",
    "{ a: 1, b: c }",
    '"q"',
    "'",
    "#",
    "|",
    ">",
    "&a",
    "*a",
    "!",
    "---",
    "\t",
    ":",
    ",",
    "?",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => agrees(pieces.join(""))),
    { numRuns: 3000 },
  );
});

function agrees(text: string): void {
  const plain = readPlainYaml(text);
  if (plain !== undefined) assert.deepEqual(plain, parse(text), text);
}

function parse(text: string): unknown {
  const document = parseDocument(text);
  assert.deepEqual(document.errors, [], text);
  return document.toJS();
}
