import assert from "node:assert/strict";
import { test } from "node:test";
import type { CustomResourceConversion, CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { whileOperatorsChange } from "./definition-transition.ts";

const called: CustomResourceConversion = {
  strategy: "Webhook",
  webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://x" } },
};

/** `v1 v2*`: two versions of which the second is stored; a name in parentheses is not served. */
function definition(text: string, conversion?: CustomResourceConversion): CustomResourceDefinition {
  const versions = text.split(" ").map((word) => ({
    name: word.replaceAll(/[()*]/g, ""),
    served: !word.startsWith("("),
    storage: word.endsWith("*"),
    schema: { openAPIV3Schema: { type: "object", description: `of ${text}` } },
  }));
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "cars.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Car", plural: "cars" },
      scope: "Namespaced",
      versions,
      ...(conversion === undefined ? {} : { conversion }),
    },
  };
}

function versionsOf({ spec }: CustomResourceDefinition): string {
  return spec.versions.map(({ name, served, storage }) => `${served ? name : `(${name})`}${storage ? "*" : ""}`).join(" ");
}

test("a version that is new is served by the webhook, and objects are stored as before", () => {
  const between = whileOperatorsChange(definition("v1*"), definition("v1 v2*", called));
  assert.deepEqual([versionsOf(between), between.spec.conversion], ["v1* v2", called]);
});

test("a version that is to go is served, as it was, until the operator that reads it is gone", () => {
  assert.equal(versionsOf(whileOperatorsChange(definition("v1 v2*"), definition("(v1) v2*"))), "v1 v2*");
  const between = whileOperatorsChange(definition("v1 v2*", called), definition("v2*"));
  assert.deepEqual([versionsOf(between), between.spec.conversion], ["v2* v1", called]);
  assert.match(JSON.stringify(between), /of v1 v2\*.*of v1 v2\*|of v2\*.*of v1 v2\*/);
});

test("whatever else is different is put there at once, and so is a definition whose versions stay as they are", () => {
  const wanted = definition("v1 v2* v3", called);
  assert.equal(whileOperatorsChange(definition("v1 v2*", called), wanted).spec.versions.length, 3);
  for (const live of ["v1 v2* v3", "v2*"]) {
    assert.equal(whileOperatorsChange(definition(live), wanted), wanted);
  }
});
