import assert from "node:assert/strict";
import { test } from "node:test";
import { TokenReview } from "@kaji/types/authentication/v1";
import { ServiceAccount } from "@kaji/types/core/v1";
import { testCluster } from "./test-cluster.ts";

test("[WLD7] service accounts in a test have tokens that its server knows again, and a repeated test has the same ones", async () => {
  const made = async () => {
    await using cluster = await testCluster({ controllers: [] });
    const { client } = cluster;
    const account = await client.create(ServiceAccount, { metadata: { name: "robot", namespace: "default" } });
    const { token = "" } = (await client.createToken(account)).status ?? {};
    await using later = await cluster.fork();
    const review = await later.client.create(TokenReview, { metadata: { generateName: "review-" }, spec: { token } });
    assert.deepEqual([review.status?.authenticated, review.status?.user?.username], [true, "system:serviceaccount:default:robot"]);
    return token;
  };
  assert.equal(await made(), await made());
});
