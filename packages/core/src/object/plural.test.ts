import assert from "node:assert/strict";
import { test } from "node:test";
import { pluralOf } from "./plural.ts";

test("[DEF6] the plural is that of English", () => {
  const plurals = {
    Bar: "Bars",
    policy: "policies",
    gateway: "gateways",
    ingress: "ingresses",
    mailbox: "mailboxes",
    batch: "batches",
    mesh: "meshes",
    fizz: "fizzes",
  };
  for (const [noun, plural] of Object.entries(plurals)) assert.equal(pluralOf(noun), plural);
});
