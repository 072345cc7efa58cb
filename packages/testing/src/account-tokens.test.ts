import assert from "node:assert/strict";
import { test } from "node:test";
import { durationMs } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned, recheckAfter } from "@kaji/runtime";
import { Secret, ServiceAccount } from "@kaji/types/core/v1";
import { explore } from "./exploration/explore.ts";
import { testCluster } from "./test-cluster.ts";

const Access = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Access",
  spec: z.object({ audience: z.string().default("shop") }),
});

const expiresAnnotation = "shop.example.com/expires";

/** Keeps a token of an account in a Secret, and makes a new one twenty minutes before it expires. */
const accesses = defineController(Access, {
  owns: [owned(ServiceAccount, { verbs: ["create/token"] }), Secret],
  async reconcile({ metadata: { namespace = "", name }, spec }, { apply, cache, client, clock }) {
    const account = await apply(ServiceAccount, { metadata: { name } });
    const kept = cache.get(Secret, { namespace, name });
    let { [expiresAnnotation]: expires = "" } = kept?.metadata.annotations ?? {};
    let { token = "" } = kept?.data ?? {};
    const leftMs = (): number => Date.parse(expires) - durationMs("20m") - clock.now();
    if (token === "" || !(leftMs() > 0)) {
      const { status } = await client.createToken(account.metadata, { audiences: [spec.audience], expirationSeconds: 3600 });
      expires = status?.expirationTimestamp ?? "";
      token = Buffer.from(status?.token ?? "").toString("base64");
    }
    await apply(Secret, { metadata: { name, annotations: { [expiresAnnotation]: expires } }, data: { token } });
    return recheckAfter(leftMs());
  },
});

const access = { metadata: { name: "cart", namespace: "default" }, spec: {} };

test("[DEF13] a controller makes tokens of service accounts with the right to create them alone", async () => {
  await using cluster = await testCluster({ controllers: [accesses] });
  await cluster.client.create(Access, access);
  await cluster.settled();
  const token = async () => (await cluster.client.get(Secret, "default/cart")).data?.["token"] ?? assert.fail();
  const first = await token();
  assert.match(Buffer.from(first, "base64").toString(), /^[\w-]+\.[\w-]+\.[\w-]+$/);
  await cluster.advance("30m");
  assert.equal(await token(), first);
  await cluster.advance("11m");
  assert.notEqual(await token(), first);
  assert.deepEqual(cluster.unusedGrants(), []);
});

test("[WLD7] an exploration repeats the tokens that a controller makes", async () => {
  await explore({
    controllers: [accesses],
    ops: (user) => [user.create(Access, access), user.wait("45m"), user.delete(Access, "default/cart")],
    runs: 60,
  }).expectNoViolations();
});
