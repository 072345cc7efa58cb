import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

test("the committed files are what the generator writes", () => {
  const flags = ["--conditions=@kaji/source", join(import.meta.dirname, "main.ts"), "--check"];
  execFileSync(process.execPath, flags, { stdio: ["ignore", "ignore", "inherit"] });
});
