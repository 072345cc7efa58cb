import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { DynamicObject, JsonValue } from "@kaji/core";
import { DecodeError } from "../object-schema.ts";
import { anyJson, shapedObject } from "../testing/arbitrary-schema.ts";
import { CustomSchema } from "./schema/custom-schema.ts";
import { CustomValidation } from "./value/custom-validation.ts";
import { applyDefaults, dropNulls } from "./schema/defaulting.ts";
import { validateDefaults } from "./definition/default-validation.ts";
import { validateOpenApi } from "./definition/openapi-validation.ts";
import { pruneObject } from "./schema/pruning.ts";
import { FieldPath, jsonOf } from "@kaji/core";
import type { JsonSchemaProps } from "./schema/structural-schema.ts";
import { validateStructural } from "./definition/structural-validation.ts";

const root = FieldPath.of("schema");

test("the schemas of these laws are structural", () => {
  fc.assert(
    fc.property(shapedObject(), ({ schema }) => {
      assert.deepEqual([...validateStructural(schema, root), ...validateOpenApi(schema, root), ...validateDefaults(schema, root)], []);
    }),
  );
});

test("[CRD3] pruning twice drops nothing more, and it drops just what it reports", () => {
  fc.assert(
    fc.property(shapedObject(), ({ schema, any }) => {
      const { node } = new CustomSchema(schema);
      const once = pruneObject(any, node);
      const twice = pruneObject(once.value, node);
      assert.equal(twice.value, once.value);
      assert.deepEqual(twice.unknownFields, []);
      assert.equal(once.unknownFields.length === 0, once.value === any);
    }),
  );
});

test("[CRD4] defaults filled in twice are the same as filled in once, and nothing is left to prune or to drop", () => {
  fc.assert(
    fc.property(shapedObject(), ({ schema, any }) => {
      const { node } = new CustomSchema(schema);
      const once = applyDefaults(dropNulls(pruneObject(any, node).value, node), node);
      assert.equal(applyDefaults(once, node), once);
      assert.equal(pruneObject(once, node).value, once);
      assert.equal(dropNulls(once, node), once);
    }),
  );
});

test("[CRD5] what is valid is accepted, before and after defaults, and kept as it is", () => {
  fc.assert(
    fc.property(shapedObject(), ({ schema, valid }) => {
      const { custom, validation } = compiled(schema);
      const { object, unknownFields } = custom.decode(valid);
      assert.deepEqual(unknownFields, []);
      assert.deepEqual(validation.create(object), []);
      assert.deepEqual(validation.create(custom.default(object)), []);
    }),
  );
});

test("[CRD5] the verdict on an object does not change by reading it again", () => {
  fc.assert(
    fc.property(shapedObject(), ({ schema, any }) => {
      const { custom, validation } = compiled(schema);
      const object = custom.default(custom.decode(any).object);
      const again = custom.default(custom.decode(asJson(object)).object);
      assert.deepEqual(again, object);
      assert.deepEqual(validation.create(again), validation.create(object));
    }),
  );
});

test("[CRD7] an object that has not changed is accepted, whatever is wrong with it; on an update no more is wrong than on a creation", () => {
  fc.assert(
    fc.property(shapedObject(), ({ schema, any, valid }) => {
      const { custom, validation } = compiled(schema);
      const object = custom.default(custom.decode(any).object);
      const old = custom.default(custom.decode(valid).object);
      const wrong = new Set(validation.create(object).map(({ field, body }) => `${field}: ${body}`));
      for (const { field, body } of validation.update(object, old, () => {})) assert.ok(wrong.has(`${field}: ${body}`));
    }),
  );
});

test("[CRD8] whatever is sent, it is an object, or refused as what cannot be read", () => {
  fc.assert(
    fc.property(shapedObject(), anyJson, anyJson, ({ schema }, body, metadata) => {
      const { custom, validation } = compiled(schema);
      for (const value of [body, { kind: "Thing", metadata, spec: body }]) {
        try {
          validation.create(custom.default(custom.decode(value).object));
        } catch (error) {
          assert.ok(error instanceof DecodeError);
        }
      }
    }),
  );
});

function compiled(schema: JsonSchemaProps): { readonly custom: CustomSchema; readonly validation: CustomValidation } {
  const custom = new CustomSchema(schema);
  return { custom, validation: new CustomValidation({ schema, node: custom.node, scale: undefined }) };
}

function asJson(object: DynamicObject): JsonValue {
  return jsonOf(object);
}
