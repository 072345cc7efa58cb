import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath } from "@kaji/core";
import type { ManagedFieldsEntry } from "@kaji/core";
import { startTestServer, widgets } from "../testing/widgets.ts";
import { validateManagers } from "./manager-validation.ts";

test("[SSA40] owners that an object names have a name that a request could have, and an operation there is", () => {
  const entry: ManagedFieldsEntry = { manager: "me", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} };
  const unknown: ManagedFieldsEntry = JSON.parse('{"fieldsType":"FieldsV2"}');
  const complaints = (...entries: readonly ManagedFieldsEntry[]): readonly string[] =>
    validateManagers(entries, FieldPath.of("metadata", "managedFields")).map(({ field, body }) => `${field}: ${body}`);
  assert.deepEqual(complaints(entry, { ...entry, operation: "Apply", subresource: "status" }), []);
  assert.deepEqual(complaints(entry, unknown), [
    'metadata.managedFields[1].operation: Invalid value: "": must be `Apply` or `Update`',
    'metadata.managedFields[1].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
  ]);
  assert.deepEqual(complaints({ ...entry, manager: "m\n", subresource: "s".repeat(257) }), [
    'metadata.managedFields[0].manager: Invalid value: "m\\n": invalid character U+000A (at position 1)',
    "metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes",
  ]);
});

test("[SSA40] a client cannot give an owner a name that is too long", async () => {
  await using api = startTestServer();
  await api.call("POST", widgets, { metadata: { name: "small" }, spec: { size: 1 } });
  const renamed = [{ op: "replace", path: "/metadata/managedFields/0/manager", value: "m".repeat(129) }];
  const { status, json } = await api.call("PATCH", `${widgets}/small`, renamed, { "content-type": "application/json-patch+json" });
  assert.deepEqual([status, Object(json["details"]).causes?.[0]?.message], [422, "Too long: may not be more than 128 bytes"]);
});
