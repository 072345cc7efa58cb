import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { clusterFor } from "../testing/project-cluster.ts";
import { inCarProject, makeOldCars } from "../testing/old-cars.ts";
import { ran } from "../testing/run-program.ts";
import { carOperator, emptyProject } from "../testing/test-project.ts";

test("objects that nobody converts keep neither install nor deploy from bringing the operator that does, and doctor says what they lack", async () => {
  using project = emptyProject();
  project.write("package.json", `{ "name": "cars", "version": "1.2.3", "type": "module" }\n`);
  project.write("src/operator.ts", carOperator);
  await using cluster = await clusterFor(project);
  const { kubeconfig } = cluster;
  await using client = await createClient({ kubeconfig });
  await makeOldCars(1, kubeconfig, client);
  const target = ["--project", project.folder, "--kubeconfig", kubeconfig] as const;
  assert.equal((await ran(["install", ...target])).code, 0);

  const { out } = await ran(["doctor", ...target]);
  assert.match(
    out,
    /^problem {2}objects of Car: cannot be read: conversion webhook for .*; the operator has to run, which converts them between versions, and to convert each: its log says more$/m,
  );
  assert.match(out, /^problem {2}Deployment cars-system\/cars: is not there; kaji deploy puts it there$/m, "what else there is is told");

  const deployed = await ran(["deploy", ...target]);
  assert.deepEqual([deployed.code, deployed.out.split("\n").at(-2)], [0, `operator cars is on kaji (${cluster.url})`]);
  assert.doesNotMatch(deployed.err, /conversion webhook/);
  assert.equal((await inCarProject(["v1", "v1alpha1"], kubeconfig, "install")).code, 0);
});
