import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { eventually } from "@kaji/core/testing";
import { clusterFor } from "../testing/project-cluster.ts";
import { Car, OldCar, carProject, makeOldCars, storedVersions } from "../testing/old-cars.ts";
import { ran } from "../testing/run-program.ts";
import { startDev } from "../testing/running-dev.ts";
import { carOperator, emptyProject } from "../testing/test-project.ts";

const selectiveOperator = carOperator.replace(
  '({ same }) => [same("spec")]',
  `({ map }) => [
    map("spec.text", "spec.text", {
      toHub: (text) => {
        if (text.startsWith("odd")) throw new Error(\`nothing can be made of \${text}\`);
        return text;
      },
      fromHub: (text) => text,
    }),
  ]`,
);

test("objects that cannot be converted are each named, the others are written, and a further run finishes once they can be", async () => {
  using project = carProject(["v1alpha1"]);
  await using dev = await startDev(["--project", project.folder]);
  await dev.said(/operator cars was started/);
  await using client = await createClient({ kubeconfig: dev.kubeconfig });
  const before = new Map<string, string | undefined>();
  for (const text of ["a", "odd-b", "c", "odd-d"]) {
    const metadata = { name: text, namespace: "default" };
    const made = await client.create(OldCar, { metadata, spec: { text } });
    before.set(text, made.metadata.resourceVersion);
  }
  project.write("src/operator.ts", selectiveOperator);
  await dev.said(/webhooks can be called/);
  const target = ["--project", project.folder, "--kubeconfig", dev.kubeconfig] as const;
  const first = await ran(["migrate", ...target]);
  assert.equal(first.code, 1);
  assert.match(
    first.err,
    /^kaji: 2 Cars of 4 could not be written anew: default\/odd-b: .*nothing can be made of odd-b.*; default\/odd-d: .*nothing can be made of odd-d.*; mend them, and run it again\n$/,
  );
  assert.deepEqual(await storedVersions(client), ["v1alpha1", "v1"]);
  const after = await client.list(OldCar);
  const written = after.items.filter(({ metadata }) => before.get(metadata.name) !== metadata.resourceVersion);
  assert.deepEqual(
    written.map(({ metadata }) => metadata.name),
    ["a", "c"],
  );

  project.write("src/operator.ts", carOperator);
  const second = await eventually("all can be converted", async () => {
    const { code, out } = await ran(["migrate", ...target]);
    return code === 0 ? out : undefined;
  });
  assert.match(second, /: 4 Cars written anew, stored in v1 alone$/m);
  assert.deepEqual(await storedVersions(client), ["v1"]);
  assert.equal((await client.get(Car, "default/odd-b")).metadata.name, "odd-b");
});

test("where nobody converts, it says who has to run", async () => {
  using project = emptyProject();
  project.write("package.json", `{ "name": "cars", "version": "1.2.3", "type": "module" }\n`);
  project.write("src/operator.ts", carOperator);
  await using cluster = await clusterFor(project, { controllers: [], nodes: 0 });
  const { kubeconfig } = cluster;
  await using client = await createClient({ kubeconfig });
  await makeOldCars(11, kubeconfig, client);
  const target = ["--project", project.folder, "--kubeconfig", kubeconfig] as const;
  assert.equal((await ran(["install", ...target])).code, 0);
  const { code, err } = await ran(["migrate", ...target]);
  assert.equal(code, 1);
  assert.match(err, /^kaji: kaji \(\S+\) refused: conversion webhook for .*; an operator that converts versions has to run for this\n$/);
  assert.deepEqual(await storedVersions(client), ["v1alpha1", "v1"]);
});
