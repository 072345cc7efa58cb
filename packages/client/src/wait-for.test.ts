import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, forbidden, refusal } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { ConfigMap } from "@kaji/types/core/v1";
import { KubeClient } from "./kube-client.ts";
import { scriptedTransport } from "./testing/scripted-transport.ts";
import type { ScriptedAnswer } from "./testing/scripted-transport.ts";
import { TransportError } from "./transport-error.ts";
import { WaitTimeoutError } from "./wait-for.ts";

function configMap(version: string, text?: string, uid = "1"): ConfigMap {
  const data = text === undefined ? {} : { data: { text } };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default", resourceVersion: version, uid }, ...data };
}

const listed = (version: string, ...items: readonly ConfigMap[]): ScriptedAnswer => ({
  body: JSON.stringify({ kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: version }, items }),
});

const told = (...events: readonly (readonly [type: string, object: object])[]): ScriptedAnswer => ({
  body: events.map(([type, object]) => `${JSON.stringify({ type, object })}\n`).join(""),
});

/** A client of a server that answers in this order, and what it was asked. */
function scripted(...script: Parameters<typeof scriptedTransport>[0] & readonly unknown[]) {
  const clock = new ManualClock();
  const { transport, requests } = scriptedTransport(script);
  const client = new KubeClient(transport, { clock, random: seededRandom(1), retries: 0 });
  return { client, clock, paths: () => requests.map(({ path }) => path.replace("/api/v1/namespaces/default/configmaps?", "")) };
}

const isDone = ({ data }: ConfigMap): boolean => data?.["text"] === "done";

test("[CL60] an object is returned as soon as it is so: at once, by a change, or when it is made", async () => {
  const atOnce = scripted(listed("5", configMap("5", "done")));
  assert.equal((await atOnce.client.waitFor(ConfigMap, "default/a", isDone)).metadata.resourceVersion, "5");
  assert.deepEqual(atOnce.paths(), ["fieldSelector=metadata.name%3Da"]);

  const changed = scripted(listed("5", configMap("5")), told(["MODIFIED", configMap("6", "begun")], ["MODIFIED", configMap("7", "done")]));
  assert.equal((await changed.client.waitFor(ConfigMap, { namespace: "default", name: "a" }, isDone)).metadata.resourceVersion, "7");
  assert.deepEqual(changed.paths()[1], "watch=true&fieldSelector=metadata.name%3Da&resourceVersion=5&allowWatchBookmarks=true");

  const made = scripted(listed("5"), told(["ADDED", configMap("6", "done")]));
  assert.equal((await made.client.waitFor(ConfigMap, "default/a", isDone)).metadata.resourceVersion, "6");
  await assert.rejects(made.client.waitFor(ConfigMap, "a", isDone), /needs a namespace/);
});

test("[CL60] an object is gone when it is deleted, was never there, or is another one by now", async () => {
  await scripted(listed("5")).client.waitForDeletion(ConfigMap, "default/a");
  const deleted = scripted(listed("5", configMap("5")), told(["MODIFIED", configMap("6")], ["DELETED", configMap("7")]));
  await deleted.client.waitForDeletion(ConfigMap, "default/a");
  const replaced = scripted(listed("5", configMap("5")), told(["MODIFIED", configMap("9", undefined, "2")]));
  await replaced.client.waitForDeletion(ConfigMap, "default/a");
});

test("[CL61] a watch that ends, breaks or is told that history is lost is begun anew; other refusals are thrown", async () => {
  const expired = ["ERROR", refusal("Expired", "too old").status] as const;
  // As something in between says it.
  const gone: ScriptedAnswer = { status: 410, body: "Gone" };
  const { client, clock, paths } = scripted(
    ...[listed("5", configMap("5")), told()],
    ...[listed("6", configMap("6")), new TransportError("Interrupted", "the connection was reset")],
    ...[listed("7", configMap("7")), told(expired)],
    ...[listed("8", configMap("8")), gone],
    ...[listed("9", configMap("9", "done"))],
  );
  const waited = client.waitFor(ConfigMap, "default/a", isDone);
  await clock.advance(1000);
  assert.equal((await waited).metadata.resourceVersion, "9");
  assert.equal(paths().length, 9);
  const refused = scripted(listed("5"), told(["ERROR", forbidden(ConfigMap, "a", "no").status]));
  await assert.rejects(refused.client.waitFor(ConfigMap, "default/a", isDone), ApiError);
});

test("[CL62] the time-out says what was waited for and whether it is there; aborting ends the waiting", async () => {
  for (const [items, state] of [
    [[configMap("5")], "is there, and not as wanted"],
    [[], "is not there"],
  ] as const) {
    const { client, clock } = scripted(...Array.from({ length: 20 }, () => [listed("5", ...items), told()]).flat());
    const waited = client.waitFor(ConfigMap, "default/a", isDone, { timeout: "1s" });
    waited.catch(() => {});
    await clock.advance(2000);
    await assert.rejects(waited, new WaitTimeoutError(`v1, Kind=ConfigMap default/a ${state}, after 1s of waiting`));
    assert.equal(clock.pending, 0);
  }
  const { client, clock } = scripted(...Array.from({ length: 20 }, () => [listed("5"), told()]).flat());
  const end = new AbortController();
  const waited = client.waitFor(ConfigMap, "default/a", isDone, { signal: end.signal });
  waited.catch(() => {});
  await clock.advance(10);
  end.abort(new Error("enough"));
  await assert.rejects(waited, /enough/);
});
