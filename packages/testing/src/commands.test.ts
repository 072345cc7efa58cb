import assert from "node:assert/strict";
import { test } from "node:test";
import { defineResource, z } from "@kaji/core/define";
import { defineController, owned } from "@kaji/runtime";
import { Pod } from "@kaji/types/core/v1";
import { testCluster } from "./test-cluster.ts";

const Database = defineResource({
  group: "shop.example.com",
  version: "v1",
  kind: "Database",
  spec: z.object({ password: z.string() }),
  status: z.object({ password: z.string().optional() }),
});

/** Keeps a Pod, and sets its password by a command in it. */
const databases = defineController(Database, {
  owns: [owned(Pod, { verbs: ["create/exec"] })],
  async reconcile({ metadata: { name, namespace }, spec, status }, { apply, client, setStatus }) {
    const pod = await apply(Pod, { metadata: { name, labels: { app: "db" } }, spec: { containers: [{ name: "db", image: "postgres" }] } });
    if (pod.status?.phase !== "Running" || status?.password === spec.password) return;
    const { exitCode, stderr } = await client.exec({ namespace, name }, ["psql"], { stdin: `alter user shop password '${spec.password}'` });
    if (exitCode !== 0) throw new Error(`psql: ${stderr}`);
    await setStatus({ password: spec.password });
  },
});

const database = { metadata: { name: "orders", namespace: "default" }, spec: { password: "first" } };

test("a controller runs commands in Pods with the permission that it declares, and a test says what they do", async () => {
  await using cluster = await testCluster({ controllers: [databases] });
  const statements: string[] = [];
  cluster.pods.match("app=db").onCommand(({ words, stdin }) => {
    if (words[0] === "psql") statements.push(stdin);
    return {};
  });
  await cluster.client.create(Database, database);
  await cluster.settled();
  assert.deepEqual(statements, ["alter user shop password 'first'"]);
  assert.deepEqual((await cluster.client.get(Database, "default/orders")).status, { password: "first" });
  assert.deepEqual(cluster.unusedGrants(), []);
});
