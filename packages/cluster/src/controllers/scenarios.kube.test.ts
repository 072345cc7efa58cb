import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { KubeClient, Redacted, httpTransport } from "@kaji/client";
import { systemClock } from "@kaji/core";
import { masked } from "./testing/masked.ts";
import { Pulse } from "./testing/pulse.ts";
import { playScenario, scenarioKinds } from "./testing/scenario.ts";
import { scenarios } from "./testing/scenarios.ts";

/** What is used of a control plane. */
interface Kube extends AsyncDisposable {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
}

const kubeTool: string = "@kaji-tools/kube";
/** Nothing happens for so long, while the controllers do so much else, only when nothing is left to happen. */
const quietMs = 2000;
const quietBeats = 10;
/** With the usual 20 requests a second the controllers would pause, as if nothing were left to do. */
const unthrottled = ["--kube-api-qps=1000", "--kube-api-burst=1000"];
/** Where the real controllers race with their own caches, a recording is right when it is among what they make of the scenario. */
const playings = 3;

describe("the recordings are what kube-controller-manager makes of the scenarios", { concurrency: 8 }, () => {
  let kube: Kube;
  let client: KubeClient;
  let pulse: Pulse;

  before(async () => {
    const { startKube } = (await import(kubeTool)) as { readonly startKube: (options: object) => Promise<Kube> };
    kube = await startKube({ controllers: true, controllerFlags: unthrottled });
    const authority = { type: "Data", data: new Redacted(kube.ca) } as const;
    const connection = { server: kube.server, certificateAuthority: authority, user: { token: new Redacted(kube.token) } };
    client = new KubeClient(httpTransport(connection), { onWarning: () => {} });
    pulse = await Pulse.start(client, systemClock);
  });

  after(async () => {
    await pulse?.[Symbol.asyncDispose]();
    await client?.[Symbol.asyncDispose]();
    await kube?.[Symbol.asyncDispose]();
  });

  for (const scenario of scenarios) {
    test(scenario.name, async () => {
      const recording = new URL(`../../testdata/controllers/${scenario.name}.json`, import.meta.url);
      const stage = { client, settle: (namespace: string) => quiet(client, pulse, namespace) };
      const first = masked(await playScenario(scenario, stage));
      if (process.env["KAJI_RECORD"] !== undefined) writeFileSync(recording, `${JSON.stringify(first, undefined, 1)}\n`);
      const recorded: unknown = JSON.parse(readFileSync(recording, "utf8"));
      let result = first;
      const most = scenario.race === undefined ? 1 : playings;
      for (let playing = 2; playing <= most && !isDeepStrictEqual(result, recorded); playing += 1) {
        result = masked(await playScenario({ ...scenario, name: `${scenario.name}-${playing}` }, stage));
      }
      assert.deepEqual(result, recorded);
    });
  }
});

/** Waits until nothing has changed in a namespace for some time. */
async function quiet(client: KubeClient, pulse: Pulse, namespace: string): Promise<void> {
  let last: { readonly versions: string; readonly ms: number; readonly beats: number } | undefined;
  for (;;) {
    const [ms, { beats }] = [systemClock.monotonic(), pulse];
    const lists = await Promise.all(Object.values(scenarioKinds).map((kind) => client.list(kind, { namespace })));
    const versions = lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata.uid}:${metadata.resourceVersion}`)).join();
    if (versions !== last?.versions) last = { versions, ms: systemClock.monotonic(), beats: pulse.beats };
    else if (ms - last.ms >= quietMs && beats - last.beats >= quietBeats) return;
    await systemClock.sleep(300);
  }
}
