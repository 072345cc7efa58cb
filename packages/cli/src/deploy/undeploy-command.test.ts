import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startControlPlane } from "@kaji/cluster";
import { ran } from "../testing/run-program.ts";
import { barProject } from "../testing/test-project.ts";

test("webhooks are called no more before that goes which answers them: nobody could write what they are about", async () => {
  using project = barProject({ hasWebhook: true });
  await using cluster = await startControlPlane({ folder: join(project.folder, "cluster"), storage: "memory" });
  const target = ["--project", project.folder, "--kubeconfig", cluster.kubeconfig];
  assert.equal((await ran(["deploy", "--timeout", "0s", ...target])).code, 0);
  const { out } = await ran(["undeploy", "--yes", "--output", "json", ...target]);
  const removed = (JSON.parse(out) as readonly { readonly object: string }[]).map(({ object }) => object);
  const places = ["ValidatingWebhookConfiguration bars", "Service bars-system/bars-webhook", "Deployment bars-system/bars"].map((name) =>
    removed.indexOf(name),
  );
  assert.ok(
    places.every((place, index) => place > (places[index - 1] ?? -1)),
    removed.join("\n"),
  );
});
