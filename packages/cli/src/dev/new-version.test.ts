import { test } from "node:test";
import { createClient } from "@kaji/client";
import { ran } from "../testing/run-program.ts";
import { startDev } from "../testing/running-dev.ts";
import { carOperator, emptyProject, oldCarOperator } from "../testing/test-project.ts";

test("an operator under development that gains a version converts the objects that are stored in the old one", async () => {
  using project = emptyProject();
  await ran(["init", "cars", "--kind", "Car", "--folder", project.folder, "--yes"]);
  project.write("src/operator.ts", oldCarOperator);
  await using dev = await startDev(["--project", project.folder]);
  await dev.said(/operator cars was started/);
  await using client = await createClient({ kubeconfig: dev.kubeconfig });
  const car = { apiVersion: "example.com/v1alpha1", kind: "Car", metadata: { name: "one", namespace: "default" }, spec: {} };
  await client.create(await client.discovery.resourceOf(car), car);
  await dev.said(/ {2}Car default\/one +(created|found) +done /);

  project.write("src/operator.ts", carOperator);
  await dev.said(/operator cars was started/);
  await dev.said(/ {2}Car default\/one +found +done /);
});
