import assert from "node:assert/strict";
import { test } from "node:test";
import { mixedSchema, pathsOf } from "../testing/mixed-schema.ts";
import { decodeFields } from "./fields-v1.ts";
import { reconcileWithSchema, withNamedFields } from "./typed-field-set.ts";

test("[SSA21] declared fields on the way to a path are named, entries and items are not", () => {
  const { fields } = decodeFields({
    "f:nested": { "f:deep": { "f:b": {} } },
    "f:labels": { "f:a": {} },
    "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { "f:host": {} } },
    "f:any": { "f:a": { "f:b": {} } },
  });
  assert.deepEqual(pathsOf(withNamedFields(fields, mixedSchema)), [
    ".any",
    ".labels",
    ".nested",
    ".ports",
    ".any.a.b",
    ".labels.a",
    ".nested.deep",
    ".nested.deep.b",
    '.ports[port=80,protocol="TCP"].host',
  ]);
});

test("[SSA28] parts of what has become atomic become the whole; the rest, and what has no type, stays", () => {
  const { fields } = decodeFields({
    "f:point": { "f:x": {} },
    "f:steps": { ".": {}, 'v:"a"': {} },
    "f:opaque": { "f:a": {} },
    "f:any": { "f:l": { "i:0": {} } },
    "f:gone": { "f:x": {} },
    "f:nested": { "f:deep": {} },
  });
  assert.deepEqual(pathsOf(reconcileWithSchema(fields, mixedSchema)), [
    ".point",
    ".steps",
    ".any.l[0]",
    ".gone.x",
    ".nested.deep",
    ".opaque.a",
  ]);
});

test("[SSA28] a set that fits is the very same set", () => {
  const { fields } = decodeFields({ "f:size": {}, "f:labels": { ".": {}, "f:a": {} }, "f:point": {}, "f:tags": { 'v:"a"': {} } });
  assert.equal(reconcileWithSchema(fields, mixedSchema), fields);
});
