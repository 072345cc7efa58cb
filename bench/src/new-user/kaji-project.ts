import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packPackages } from "@kaji-tools/new-operator";
import { createBar, imageOf } from "./first-bar.ts";
import type { NewUserFigures } from "./new-user-figures.ts";
import { openWorkshop, ownedFiles, secondsOf, until } from "./workshop.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const test = `import assert from "node:assert/strict";
import { test } from "node:test";
import { testCluster } from "@kaji/testing";
import { barController } from "./bar-controller.ts";
import { Bar } from "./bar.ts";

test("a Bar has its Deployment, and its status says how many copies are available", async () => {
  await using cluster = await testCluster({ controllers: [barController] });
  await cluster.client.create(Bar, { metadata: { name: "example", namespace: "default" }, spec: { deploymentName: "web", replicas: 2 } });
  await cluster.settled();
  const bar = await cluster.client.get(Bar, "default/example");
  assert.equal(bar.status?.availableReplicas, 2);
  assert.deepEqual(bar.status.conditions?.map(({ type, status }) => [type, status]), [["Ready", "True"]]);
});
`;

/** Measures the Bar operator with kaji, its packages packed as they would be published. */
export async function measureKaji(): Promise<NewUserFigures> {
  using packing = openWorkshop("packing");
  const tarballs = (await packPackages(packing.folder)).map(({ tarball }) => tarball);
  using workshop = openWorkshop("kaji");
  const kubeconfig = join(workshop.folder, ".kaji/kubeconfig");
  const program = `${root}packages/cli/dist/main.js`;
  const initS = await secondsOf(() => workshop.run(process.execPath, program, ...initParameters(workshop.folder)));
  writeBar(workshop.folder); // What the user writes takes as long as it takes.
  const owned = ownedFiles(workshop.folder); // Before tarballs are named in its package.json, which no user does.
  const installS = await secondsOf(() =>
    workshop.run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", ...tarballs),
  );

  const testS = await secondsOf(() => workshop.run("npm", "test"));
  await using stack = new AsyncDisposableStack();
  const startedS = await secondsOf(async () => {
    const dev = stack.use(workshop.start("node_modules/.bin/kaji", "dev"));
    await until(async () => dev.said().includes("was started after"), "the operator's start", dev);
    await createBar(kubeconfig);
    await until(async () => (await imageOf(kubeconfig)) !== undefined, "the first reconcile", dev);
  });
  const saveToReconcileS = await secondsOf(async () => {
    workshop.edit("src/bar-controller.ts", "nginx:1.29", "nginx:1.30");
    await until(async () => (await imageOf(kubeconfig)) === "nginx:1.30", "the reconcile of what was saved");
  });
  return {
    ...owned,
    commands: ["npm create kaji bar-controller", "npm install", "npx kaji dev", "kubectl apply -f sample.yaml"],
    firstReconcileS: initS + installS + startedS,
    saveToReconcileS,
    testS,
  };
}

/** What `kaji` is given to make the project. */
export function initParameters(folder: string): readonly string[] {
  return ["init", "bar-controller", "--folder", folder, "--kind", "Bar", "--group", "samplecontroller.example.com", "--yes"];
}

/** Writes into the project what the user does: the Bar of the example, and a test. */
export function writeBar(folder: string): void {
  for (const name of ["bar.ts", "bar-controller.ts"]) writeFileSync(join(folder, "src", name), readFileSync(`${root}examples/bar/${name}`));
  writeFileSync(join(folder, "src/bar.test.ts"), test);
}
