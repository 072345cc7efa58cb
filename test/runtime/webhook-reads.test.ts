import assert from "node:assert/strict";
import { test } from "node:test";
import { FieldPath, forbiddenField } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { use, webhook } from "@kaji/runtime";
import { testCluster } from "@kaji/testing";

const Site = defineResource({ group: "web.example.com", version: "v1", kind: "Site", spec: z.object({ host: z.string() }) });
const host = FieldPath.of("spec", "host");

/** No two Sites have the same host. */
const oneSitePerHost = webhook(Site, {
  uses: [use(Site, "list")],
  async validate({ metadata, spec }, { live }) {
    const { items } = await live.list(Site);
    const other = items.find((each) => each.spec.host === spec.host && each.metadata.uid !== metadata.uid);
    if (other !== undefined) return forbiddenField(host, `it is that of ${other.metadata.name}`);
  },
});

test("[WH15] in a test cluster a webhook reads with the operator's account, under the role that follows from its declaration", async () => {
  await using cluster = await testCluster({ webhooks: [oneSitePerHost] });
  const create = (name: string): Promise<unknown> =>
    cluster.client.create(Site, { metadata: { name, namespace: "default" }, spec: { host: "example.com" } });
  await create("a");
  await assert.rejects(create("b"), /spec\.host: Forbidden: it is that of a/);
});
