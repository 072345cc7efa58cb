import { startKube } from "@kaji-tools/kube";
import { KubeClient, Redacted, httpTransport } from "@kaji/client";
import { SimulatedRuntime, startKubelet } from "@kaji/cluster";
import type { SimulatedDelays } from "@kaji/cluster";
import { systemClock, systemRandom } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { createLog } from "@kaji/runtime";
import { Node } from "@kaji/types/core/v1";

/** The control plane of Kubernetes itself, with two nodes on which pods seem to run, until it is disposed of. */
export interface RealPlane extends AsyncDisposable {
  readonly kubeconfig: string;
}

/** Starts etcd, kube-apiserver, kube-controller-manager and kube-scheduler, and our kubelets for them. */
export async function startRealPlane(delays: SimulatedDelays): Promise<RealPlane> {
  await using starting = new AsyncDisposableStack();
  const kube = starting.use(await startKube({ controllers: true }));
  const certificateAuthority = { type: "Data", data: new Redacted(kube.ca) } as const;
  const transport = httpTransport({ server: kube.server, certificateAuthority, user: { token: new Redacted(kube.token) } });
  const client = starting.use(new KubeClient(transport, { userAgent: "kubelet", fieldManager: "kubelet", onWarning: () => {} }));
  // It comes with a node that runs nothing, on which pods would wait for ever.
  for (const node of (await client.list(Node)).items) await client.delete(Node, { name: node.metadata.name });
  const [clock, random] = [systemClock, systemRandom];
  const informers = new Informers({ source: client.listerWatcher, clock, random });
  const end = new AbortController();
  const mirrored = informers.run(end.signal);
  starting.defer(async () => {
    end.abort();
    await mirrored;
  });
  const nodes = [{ name: "node-1" }, { name: "node-2" }];
  const recorder = { event: () => {} };
  starting.use(
    await startKubelet({
      client,
      informers,
      recorder,
      clock,
      random,
      log: createLog(process.stderr, { level: "error", clock }),
      nodes,
      runtime: new SimulatedRuntime(clock, delays),
    }),
  );
  const all = starting.move();
  return { kubeconfig: kube.kubeconfig, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
