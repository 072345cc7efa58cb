import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

test("the demo shows a Bar become available, follow a change, and be refused when it is wrong", async ({ signal }) => {
  const demo = join(import.meta.dirname, "demo.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@kaji/source", demo], { signal });
  assert.match(stdout, /NAME +DEPLOYMENT +REPLICAS +AVAILABLE +AGE\nexample +example +2 +2 /);
  assert.match(stdout, /example-[a-z0-9]+-[a-z0-9]{5} +1\/1 +Running/);
  assert.match(stdout, /NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nrenamed +3\/3 +3 +3 +\w+\n\n#/);
  assert.match(stdout, /spec\.replicas: Invalid value: -1/);
  assert.match(stdout, /spec\.deploymentName: Invalid value: "kube-proxy"/);
});
