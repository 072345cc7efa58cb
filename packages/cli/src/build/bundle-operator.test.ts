import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openProject } from "../project/project.ts";
import { emptyProject } from "../testing/test-project.ts";
import { bundleOperator } from "./bundle-operator.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const largestBytes = 1_250_000;

test("the operator of examples/bar, webhooks included, is a bundle of less than 1.25 MB, with nothing in it of the command or the control plane", async () => {
  // The paths of modules, as they are from the project, are in a bundle: beside the example they are as long as they are for it, wherever the repository is.
  using temporary = emptyProject(join(repository, "examples"));
  const { folder } = temporary;
  const main = relative(folder, join(repository, "examples/bar/main.ts"));
  temporary.write("package.json", JSON.stringify({ name: "bar", type: "module", kaji: { main } }));
  const inputs = await bundleOperator(openProject(folder));
  const { size } = statSync(join(folder, "dist/main.js"));
  assert.ok(size < largestBytes, `${size} bytes`);
  const packages = new Set(inputs.flatMap((path) => /\/packages\/([^/]+)\//.exec(path)?.[1] ?? []));
  assert.deepEqual([...packages].toSorted(), ["client", "core", "informer", "kaji", "runtime", "types"]);
});

test("zod's translations are left out of a bundle unless the operator mentions them", async () => {
  const sizes: number[] = [];
  for (const line of ["z.string().safeParse(1)", "z.config(z.locales.de()), z.string().safeParse(1)"]) {
    using temporary = emptyProject();
    const { folder } = temporary;
    const kaji = relative(folder, join(repository, "packages/kaji/src/index.ts"));
    temporary.write("package.json", JSON.stringify({ name: "translated", type: "module", kaji: { main: "main.ts" } }));
    temporary.write(
      "main.ts",
      `import { z } from "./${kaji}";\nconst result = (${line});\nconsole.log(result.error?.issues[0]?.message);\n`,
    );
    await bundleOperator(openProject(folder));
    const bundle = join(folder, "dist/main.js");
    sizes.push(statSync(bundle).size);
    const { stdout } = await promisify(execFile)(process.execPath, [bundle]);
    assert.match(stdout, line.includes("locales") ? /^Ungültige Eingabe/ : /^Invalid input/);
  }
  const [small = 0, large = 0] = sizes;
  assert.ok(large - small > 200_000, `${small} and ${large} bytes`);
});

test("functions of the operator keep their names in a bundle, for stack traces", async () => {
  using temporary = emptyProject();
  const { folder } = temporary;
  temporary.write("package.json", JSON.stringify({ name: "named", type: "module", kaji: { main: "main.ts" } }));
  temporary.write(
    "main.ts",
    `class Oven {\n  bake(): void {\n    burn(this);\n  }\n}\nfunction burn(what: Oven): void {\n  console.log(new Error(typeof what).stack);\n}\nnew Oven().bake();\n`,
  );
  await bundleOperator(openProject(folder));
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "dist/main.js")]);
  assert.match(stdout, /at burn .*\n.*at Oven\.bake /);
});

test("a bundle says which Node it takes, where there is an older one, and runs on others that call themselves so", async () => {
  using temporary = emptyProject();
  const { folder } = temporary;
  temporary.write("package.json", JSON.stringify({ name: "old", type: "module", kaji: { main: "main.ts" } }));
  temporary.write("main.ts", `console.log("it runs");\n`);
  await bundleOperator(openProject(folder));
  const runOn = (versions: Readonly<Record<string, string>>): Promise<{ readonly stdout: string; readonly stderr: string }> => {
    const preload = `Object.defineProperty(process, "versions", { value: ${JSON.stringify(versions)} })`;
    return promisify(execFile)(process.execPath, ["--import", `data:text/javascript,${preload}`, join(folder, "dist/main.js")]);
  };
  await assert.rejects(runOn({ node: "22.23.3" }), { code: 1, stderr: "this operator takes Node 24 or newer, and this is 22.23.3\n" });
  assert.equal((await runOn({ node: "22.6.0", bun: "1.2.0" })).stdout, "it runs\n");
});
