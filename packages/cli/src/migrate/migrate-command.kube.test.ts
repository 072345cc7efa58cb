import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@kaji/client";
import { unlessGone } from "@kaji/core";
import { eventually } from "@kaji/core/testing";
import { Car, inCarProject, makeOldCars, resourceVersions, storedVersions } from "../testing/old-cars.ts";

const kubeTool: string = "@kaji-tools/kube";

interface Kube extends AsyncDisposable {
  readonly kubeconfig: string;
}

test("a real API server stores what is written anew in the present version, and lets the old one go", async () => {
  const { startKube } = (await import(kubeTool)) as { readonly startKube: () => Promise<Kube> };
  await using kube = await startKube();
  const { kubeconfig } = kube;
  await using client = await createClient({ kubeconfig });
  await makeOldCars(25, kubeconfig, client);
  await eventually("the new version is served", () => unlessGone(client.list(Car)));
  const before = await resourceVersions(client);
  const both = ["v1", "v1alpha1"];
  const done = await inCarProject(both, kubeconfig, "migrate");
  assert.match(done.out, /: 25 Cars written anew, stored in v1 alone$/m);
  assert.deepEqual(await storedVersions(client), ["v1"]);
  const after = await resourceVersions(client);
  assert.ok(after.every((version, index) => version !== before[index]));
  assert.match((await inCarProject(both, kubeconfig, "migrate")).out, /^there is nothing to migrate$/m);
  assert.equal((await inCarProject(["v1"], kubeconfig, "install")).code, 0);
  assert.equal((await client.get(Car, "default/car-0")).metadata.resourceVersion, after[0]);
});
