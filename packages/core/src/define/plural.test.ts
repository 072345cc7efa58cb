import assert from "node:assert/strict";
import { test } from "node:test";
import { pluralOf } from "./plural.ts";

test("[DEF6] the plural is that of English", () => {
  const plurals = {
    Bar: "bars",
    Policy: "policies",
    Gateway: "gateways",
    Ingress: "ingresses",
    Mailbox: "mailboxes",
    Batch: "batches",
    Mesh: "meshes",
    Fizz: "fizzes",
  };
  for (const [kind, plural] of Object.entries(plurals)) assert.equal(pluralOf(kind), plural);
});
