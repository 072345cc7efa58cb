import assert from "node:assert/strict";
import { test } from "node:test";
import { isReason } from "@kaji/core";
import { defineResource, z } from "@kaji/core/define";
import { defineController, watch } from "@kaji/runtime";
import type { DeclaredPermission } from "@kaji/runtime";
import { ConfigMap, ServiceAccount } from "@kaji/types/core/v1";
import { Role, RoleBinding } from "@kaji/types/rbac/v1";
import { explore } from "./exploration/explore.ts";
import { testCluster } from "./test-cluster.ts";
import type { TestCluster } from "./test-cluster.ts";

const Note = defineResource({
  group: "testing.kaji.dev",
  version: "v1",
  kind: "Note",
  spec: z.object({ account: z.string(), text: z.string() }),
  status: z.object({ problem: z.string().optional() }),
});
const note = { metadata: { name: "a", namespace: "default" }, spec: { account: "writer", text: "hello" } };
const bare = { builtins: [], nodes: 0, scheduler: false };

/** Writes each note with the rights of the account that it names. */
const writing = (...permissions: readonly DeclaredPermission[]) =>
  defineController(Note, {
    watches: [watch(ConfigMap, { applied: true })],
    permissions,
    async reconcile({ metadata: { name, namespace = "" }, spec }, { clientAs, isApplied, setStatus }) {
      const wanted = { metadata: { name, namespace }, data: { text: spec.text } };
      if (isApplied(ConfigMap, wanted)) return;
      const problem = await clientAs(`system:serviceaccount:${namespace}:${spec.account}`)
        .apply(ConfigMap, wanted, { force: true })
        .then(() => undefined)
        .catch((error: unknown) => {
          if (!isReason(error, "Forbidden")) throw error;
          return error.message;
        });
      await setStatus({ problem });
    },
  });
const allowed = { apiGroup: "", resource: "serviceaccounts", verbs: ["impersonate"] };

const subjects = [{ kind: "ServiceAccount", name: "writer", namespace: "default" }];
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "writer" };
const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create", "patch"] }];
const metadata = { name: "writer", namespace: "default" };

async function addWriter({ client }: Pick<TestCluster, "client">): Promise<void> {
  await client.create(ServiceAccount, { metadata });
  await client.create(Role, { metadata, rules });
  await client.create(RoleBinding, { metadata, roleRef, subjects });
}

test("[IMP1] what is written as an account is done with its rights, and with none of the operator's", async () => {
  await using cluster = await testCluster({ ...bare, controllers: [writing(allowed)] });
  await addWriter(cluster);
  await cluster.client.create(Note, note);
  await cluster.client.create(Note, { metadata: { name: "b", namespace: "default" }, spec: { account: "reader", text: "hello" } });
  await cluster.settled();
  assert.equal((await cluster.client.get(ConfigMap, "default/a")).data?.["text"], "hello");
  const { status } = await cluster.client.get(Note, "default/b");
  assert.match(status?.problem ?? "", /User "system:serviceaccount:default:reader" cannot patch resource "configmaps"/);

  // It is the operator's own write: its next read has it, and it knows it as what it applied.
  await cluster.client.mergePatch(ConfigMap, "default/a", { data: { text: "changed" } });
  await cluster.settled();
  assert.equal((await cluster.client.get(ConfigMap, "default/a")).data?.["text"], "hello");
  assert.deepEqual(cluster.unusedGrants(), []);
});

test("[IMP2] an operator that may not act as others fails the test, with what to declare", async () => {
  const cluster = await testCluster({ ...bare, controllers: [writing()] });
  await cluster.client.create(Note, note);
  const missing =
    /the operator may not act as system:serviceaccount:default:writer: add \{ apiGroup: "", resource: "serviceaccounts", verbs: \["impersonate"\] \} to the permissions of the controller that does\n {4}at .*impersonation\.test\.ts/;
  await assert.rejects(cluster.settled(), missing);
  await cluster[Symbol.asyncDispose]();
});

test("[IMP3] what is written as an account is explored like other writes", async () => {
  await explore({
    controllers: [writing(allowed)],
    ops: (user) => [
      user.create(Role, { metadata, rules }),
      user.create(RoleBinding, { metadata, roleRef, subjects }),
      user.create(Note, note),
      user.mergePatch(Note, "default/a", { spec: { text: "good night" } }),
    ],
    retained: [ConfigMap],
    runs: 40,
  }).expectNoViolations();
});
