import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { ServiceAccount } from "@kaji/types/core/v1";
import { clusterFor } from "../testing/project-cluster.ts";
import { carProject, unconvertedOperator } from "../testing/old-cars.ts";
import { startDev } from "../testing/running-dev.ts";

test("a user who may not install the operator is told so, with the remedy and what the operator is started by", async () => {
  using project = carProject(["v1alpha1"]);
  await using cluster = await clusterFor(project, { controllers: [], nodes: 0 });
  await using client = await createClient({ kubeconfig: cluster.kubeconfig });
  await client.create(ServiceAccount, { metadata: { name: "guest", namespace: "default" } });
  const { status } = await client.createToken("default/guest");
  const text = readFileSync(cluster.kubeconfig, "utf8").replaceAll(/ {6}client-.*\n/g, "");
  project.write("guest", text.replace("    user:\n", `    user:\n      token: ${status?.token}\n`));
  await using dev = await startDev(["--project", project.folder, "--kubeconfig", join(project.folder, "guest"), "--context", "kaji"]);
  await dev.said(
    /kaji \(https:\S+\) refused: .*"system:serviceaccount:default:guest" cannot .*; use a context of a user who may, or ask for the permission; the operator is started when a source is saved\n/,
  );
  assert.equal(await dev.stop("SIGINT"), 0);
});

test("an operator that was to be started while the cluster was away is started when that answers", async () => {
  using project = carProject(["v1alpha1"]);
  const first = await clusterFor(project, { controllers: [], nodes: 0 });
  const { kubeconfig, url } = first;
  await using dev = await startDev(["--project", project.folder, "--kubeconfig", kubeconfig, "--context", "kaji"]);
  await dev.said(/operator cars was started/);
  await first[Symbol.asyncDispose]();
  project.write("src/operator.ts", `${unconvertedOperator(["v1alpha1"])}\n`);
  await dev.said(/cannot reach kaji \(https:\S+\): .*; the operator is started when it answers, or a source is saved\n/);
  await using _second = await clusterFor(project, { controllers: [], nodes: 0, port: Number(new URL(url).port) });
  await dev.said(/operator cars was started/);
  assert.equal(await dev.stop("SIGINT"), 0);
});
