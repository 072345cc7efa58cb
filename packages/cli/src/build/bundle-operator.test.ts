import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openProject } from "../project/project.ts";
import { emptyProject } from "../testing/test-project.ts";
import { bundleOperator } from "./bundle-operator.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const largestBytes = 1_500_000;

test("the operator of examples/bar, webhooks included, is a bundle of less than 1.5 MB, with nothing in it of the command or the control plane", async () => {
  using temporary = emptyProject();
  const { folder } = temporary;
  const main = relative(folder, join(repository, "examples/bar/main.ts"));
  temporary.write("package.json", JSON.stringify({ name: "bar", type: "module", kaji: { main } }));
  const inputs = await bundleOperator(openProject(folder));
  const { size } = statSync(join(folder, "dist/main.js"));
  assert.ok(size < largestBytes, `${size} bytes`);
  const packages = new Set(inputs.flatMap((path) => /\/packages\/([^/]+)\//.exec(path)?.[1] ?? []));
  assert.deepEqual([...packages].toSorted(), ["client", "core", "informer", "kaji", "runtime", "types"]);
});
