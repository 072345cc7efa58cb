import { test } from "node:test";
import { createClient } from "@kaji/client";
import { OldCar, carProject } from "../testing/old-cars.ts";
import { startDev } from "../testing/running-dev.ts";
import { carOperator } from "../testing/test-project.ts";

test("an operator under development that gains a version converts the objects that are stored in the old one", async () => {
  using project = carProject(["v1alpha1"]);
  await using dev = await startDev(["--project", project.folder]);
  await dev.said(/operator cars was started/);
  await using client = await createClient({ kubeconfig: dev.kubeconfig });
  await client.create(OldCar, { metadata: { name: "one", namespace: "default" }, spec: {} });
  await dev.said(/ {2}Car default\/one +(created|found) +done /);

  project.write("src/operator.ts", carOperator);
  await dev.said(/operator cars was started/);
  await dev.said(/ {2}Car default\/one +found +done /);
});
