import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath, invalidValue } from "@kaji/core";
import { webhook } from "@kaji/runtime";
import { Pod } from "@kaji/types/core/v1";
import { testCluster } from "./test-cluster.ts";

const pod = { metadata: { name: "web", namespace: "default" }, spec: { containers: [{ name: "web", image: "registry.example.com/web" }] } };

test("a webhook is asked about the operations that it is for, and no others", async () => {
  const label = webhook(Pod, {
    operations: ["CREATE"],
    default({ metadata }) {
      metadata.labels = { ...metadata.labels, made: "yes" };
    },
  });
  await using cluster = await testCluster({ webhooks: [label] });
  await cluster.client.create(Pod, pod);
  await cluster.client.mergePatch(Pod, "default/web", { metadata: { labels: { made: null, changed: "yes" } } });
  assert.deepEqual((await cluster.client.get(Pod, "default/web")).metadata.labels, { changed: "yes" });
});

test("a webhook of Pods is asked about the containers of kubectl debug where it names them", async () => {
  const judge = webhook(Pod, {
    subresources: ["ephemeralcontainers"],
    validate({ spec }, { request }) {
      const index = spec?.ephemeralContainers?.findIndex(({ image }) => image?.startsWith("registry.example.com/") !== true) ?? -1;
      if (index < 0) return;
      assert.equal(request.subResource, "ephemeralcontainers");
      const path = FieldPath.of("spec", "ephemeralContainers").index(index).child("image");
      return invalidValue(path, spec?.ephemeralContainers?.[index]?.image, "is from no allowed registry");
    },
  });
  await using cluster = await testCluster({ webhooks: [judge] });
  await cluster.client.create(Pod, pod);
  const debug = (image: string): Promise<unknown> =>
    cluster.client.strategicPatch(
      Pod,
      "default/web",
      { spec: { ephemeralContainers: [{ name: "debugger", image }] } },
      { subresource: "ephemeralcontainers" },
    );
  await assert.rejects(debug("busybox"), /spec.ephemeralContainers\[0\].image: Invalid value: "busybox": is from no allowed registry/);
  await debug("registry.example.com/busybox");
});

test("where failures of a webhook are ignored, so is that of its handler", async () => {
  const inject = webhook(Pod, {
    failurePolicy: "Ignore",
    default({ metadata }) {
      metadata.labels = { half: "done" };
      throw new Error("the registry is away");
    },
  });
  await using cluster = await testCluster({ webhooks: [inject] });
  await cluster.client.create(Pod, pod);
  assert.equal((await cluster.client.get(Pod, "default/web")).metadata.labels, undefined);
  assert.deepEqual(cluster.errors, ["webhook failed: the registry is away"]);
});
