import assert from "node:assert/strict";
import type { KubeClient } from "@kaji/client";
import { isReason } from "@kaji/core";
import { Pod } from "@kaji/types/core/v1";
import { freshNamespace } from "./fresh-namespace.ts";

/** What the verbs must do that are for Pods alone, on whatever server. */
export const podVerbs: Readonly<Record<string, (client: KubeClient) => Promise<void>>> = {
  "bind assigns the Pod that is meant to a node, once": async (client) => {
    const { metadata } = await createPod(client);
    const wrongUid = "7a0b1c2d-0000-4000-8000-000000000000";
    await assert.rejects(client.bind(metadata, "node-a", { uid: wrongUid }), (error) => isReason(error, "Conflict"));
    await client.bind(metadata, "node-a", { uid: metadata.uid, dryRun: true });
    assert.equal((await client.get(Pod, metadata)).spec?.nodeName, undefined);
    assert.equal((await client.bind(metadata, "node-a", { uid: metadata.uid })).status, "Success");
    assert.equal((await client.get(Pod, metadata)).spec?.nodeName, "node-a");
    await assert.rejects(client.bind(metadata, "node-b"), (error) => isReason(error, "Conflict"));
  },

  "eviction deletes a Pod that no budget protects, if it is the one that is meant": async (client) => {
    const { metadata } = await createPod(client);
    await assert.rejects(client.evict(metadata, { preconditions: { uid: "other" } }), (error) => isReason(error, "Conflict"));
    const answer = await client.evict(metadata, { gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } });
    assert.equal(answer.status, "Success");
    await assert.rejects(client.get(Pod, metadata), (error) => isReason(error, "NotFound"));
  },

  "a Pod that is on no node runs no commands": async (client) => {
    const { metadata } = await createPod(client);
    await assert.rejects(client.exec(metadata, ["ls", "/"]), (error) => {
      assert.ok(isReason(error, "BadRequest"));
      assert.match(error.message, /^pod web does not have a host assigned/);
      return true;
    });
  },
};

/** A Pod in a namespace of its own. */
async function createPod(client: KubeClient): Promise<Pod> {
  const namespace = await freshNamespace(client);
  return client.create(Pod, { metadata: { name: "web", namespace }, spec: { containers: [{ name: "web", image: "web:1" }] } });
}
