import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defaultUserAgent } from "./user-agent.ts";

test("the user agent has the version of the package", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { readonly version: string };
  assert.ok(defaultUserAgent.startsWith(`kaji/${version} (`));
});
