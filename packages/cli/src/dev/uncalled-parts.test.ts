import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { convert, externalMetric, webhook } from "@kaji/runtime";
import { Deployment } from "@kaji/types/apps/v1";
import { uncalledParts } from "./uncalled-parts.ts";

test("it is said whose webhooks, conversions and APIs are not called, where there are some", () => {
  const spec = z.object({});
  const Bar = defineResource({ group: "example.com", version: "v1", kind: "Bar", spec, versions: { v1alpha1: { spec } } });
  assert.equal(uncalledParts({ webhooks: [], conversions: [], apis: [] }), undefined);
  const webhooks = [webhook(Bar, { validate() {} }), webhook(Deployment, { validate() {} })];
  const conversions = [convert(Bar, { v1alpha1: ({ same }) => [same("spec")] })];
  assert.equal(
    uncalledParts({ webhooks, conversions, apis: [] }),
    "that API server cannot reach this machine: the webhooks of Bar, Deployment are not called: nothing is defaulted or refused by them; Bar can be read in the stored version alone (--webhook-host tells it how)",
  );
  const apis = [externalMetric("pages", { values: () => [] }), externalMetric("visits", { values: () => [] })];
  assert.equal(
    uncalledParts({ webhooks: [], conversions: [], apis }),
    "that API server cannot reach this machine: nobody can ask for pages, visits (--webhook-host tells it how)",
  );
});
