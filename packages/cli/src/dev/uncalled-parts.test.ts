import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { convert, webhook } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { uncalledParts } from "./uncalled-parts.ts";

test("it is said whose webhooks and conversions are not called, where there are some", () => {
  const spec = z.object({});
  const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec, versions: { v1alpha1: { spec } } });
  assert.equal(uncalledParts({ webhooks: [], conversions: [] }), undefined);
  const webhooks = [webhook(Bar, { validate() {} }), webhook(Deployment, { validate() {} })];
  const conversions = [convert(Bar, { v1alpha1: ({ same }) => [same("spec")] })];
  assert.equal(
    uncalledParts({ webhooks, conversions }),
    "that API server cannot reach this machine: the webhooks of Bar, Deployment are not called: nothing is defaulted or refused by them; Bar can be read in the stored version alone (--webhook-host tells it how)",
  );
});
