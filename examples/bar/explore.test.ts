import { test } from "node:test";
import { explore } from "@kaji/testing";
import { options } from "./exploration.ts";

test("a Bar comes out right whatever single thing goes wrong", async () => {
  await explore({ ...options, runs: 60 }).expectNoViolations();
});
