import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { KubeClient, Secret, httpTransport } from "@kaji/client";
import { systemClock } from "@kaji/core";
import { Namespace } from "@kaji/types/core/v1";
import { masked } from "./testing/masked.ts";
import { playScenario, scenarioKinds } from "./testing/scenario.ts";
import { scenarios } from "./testing/scenarios.ts";

/** What is used of a control plane. */
interface Kube extends AsyncDisposable {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

const kubeTool: string = "@kaji-tools/kube";
/** Nothing happens for so long only when nothing is left to happen; on a busy machine it may, so that what differs is played again with more patience. */
const patienceMs = [2000, 6000, 12_000];

const isRecording = process.env["KAJI_RECORD"] !== undefined;
/**
 * Pods of StatefulSets and DaemonSets come one after another, each when the one before runs; on a busy machine later than any patience. Those scenarios are
 * played against the real one only to be recorded.
 */
const played = scenarios.filter(({ name }) => isRecording || !/^(?:stateful|daemon)-set-/.test(name));

describe("the recordings are what kube-controller-manager makes of the scenarios", { concurrency: 6 }, () => {
  let kube: Kube;
  let client: KubeClient;

  before(async () => {
    const { startKube } = (await import(kubeTool)) as { readonly startKube: (options: object) => Promise<Kube> };
    kube = await startKube({ controllers: true });
    const authority = { type: "Data", data: new Secret(kube.ca) } as const;
    const connection = { server: kube.server, certificateAuthority: authority, user: { token: new Secret(kube.token) } };
    client = new KubeClient(httpTransport(connection), { onWarning: () => {} });
  });

  after(async () => {
    await client?.[Symbol.asyncDispose]();
    await kube?.[Symbol.asyncDispose]();
  });

  for (const scenario of played) {
    test(scenario.name, async () => {
      const recording = new URL(`../../testdata/controllers/${scenario.name}.json`, import.meta.url);
      const play = async (quietMs: number): Promise<unknown> =>
        masked(await playScenario(scenario, { client, settle: (namespace) => quiet(client, namespace, quietMs) }));
      if (isRecording) writeFileSync(recording, `${JSON.stringify(await play(2000), undefined, 1)}\n`);
      const expected: unknown = JSON.parse(readFileSync(recording, "utf8"));
      let result: unknown;
      for (const quietMs of patienceMs) {
        result = await play(quietMs);
        if (isDeepStrictEqual(result, expected)) return;
        await removed(client, scenario.name);
      }
      assert.deepEqual(result, expected);
    });
  }
});

/** Waits until nothing has changed in a namespace for some time. */
async function quiet(client: KubeClient, namespace: string, quietMs: number): Promise<void> {
  let last = "";
  for (let sinceMs = systemClock.monotonic(); systemClock.monotonic() - sinceMs < quietMs;) {
    const lists = await Promise.all(Object.values(scenarioKinds).map((kind) => client.list(kind, { namespace })));
    const versions = lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata.uid}:${metadata.resourceVersion}`)).join();
    if (versions !== last) [last, sinceMs] = [versions, systemClock.monotonic()];
    await systemClock.sleep(300);
  }
}

/** Deletes a namespace, and waits until it is gone. */
async function removed(client: KubeClient, name: string): Promise<void> {
  await client.delete(Namespace, { name });
  const isThere = async (): Promise<boolean> => (await client.list(Namespace, { fieldSelector: `metadata.name=${name}` })).items.length > 0;
  while (await isThere()) await systemClock.sleep(300);
}
