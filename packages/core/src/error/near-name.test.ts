import assert from "node:assert/strict";
import { test } from "node:test";
import { nearName } from "./near-name.ts";

test("a word stands for the name that it is but for one character, or two that changed places", () => {
  const names = ["deploy", "dev", "up", "install"];
  for (const word of ["deplyo", "deplo", "deployy", "xeploy", "dpeloy"]) assert.equal(nearName(word, names), "deploy", word);
  for (const word of ["", "de", "deplyx", "xdeployx", "u", "upp", "deploy"])
    assert.equal(nearName(word, ["deploy", "up"]), undefined, word);
});
