import { writeFileSync } from "node:fs";
import { startKube } from "@kaji-tools/kube";
import { formatTranscript, httpsTransport } from "@kaji-tools/record";
import { KubeClient } from "@kaji/client";
import { SimulatedRuntime, startKubelet } from "@kaji/cluster";
import { systemClock as clock, systemRandom as random } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { EventSink } from "@kaji/runtime";
import type { Log } from "@kaji/runtime";
import { Node } from "@kaji/types/core/v1";
import { nodes, play, scripts, transcriptOf } from "./run-tutorial.ts";

// Plays the scripts on a real control plane, whose nodes are ours, and keeps what kubectl prints: all of them, or those that are named.
const wanted = process.argv.length > 2 ? process.argv.slice(2) : scripts;
const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error, child: () => log };
await using kube = await startKube({ controllers: true });
using transport = httpsTransport(kube);
const client = new KubeClient(transport, { clock, random, userAgent: "kubelet", fieldManager: "kubelet", onWarning: () => {} });
const informers = new Informers({ source: client.listerWatcher, clock, random });
const recorder = new EventSink({ client, clock, random, log, reporter: { controller: "kubelet", instance: "kubelet" } });
const end = new AbortController();
const running = [informers.run(end.signal), recorder.run(end.signal)];
// The node that comes with it runs nothing.
await client.delete(Node, { name: "kaji-node" });
{
  await using _kubelet = await startKubelet({
    client,
    informers,
    recorder,
    clock,
    random,
    log,
    nodes,
    runtime: new SimulatedRuntime(clock),
  });
  await clock.sleep(2000); // The controller-manager takes the taints of new nodes away.
  for (const script of wanted) writeFileSync(transcriptOf(script), formatTranscript(await play(script, kube.kubectl, kube.kubeconfig)));
}
end.abort();
await Promise.all(running);
