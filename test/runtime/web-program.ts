import assert from "node:assert/strict";
import { KubeClient } from "@kaji/client";
import type { ApplyConfiguration } from "@kaji/client";
import { systemRandom } from "@kaji/core";
import type { Clock, Draft, Transport } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { defineController, runController } from "@kaji/runtime";
import type { Log } from "@kaji/runtime";
import { Deployment, StatefulSet } from "@kaji/types/apps/v1";
import { ConfigMap, Service } from "@kaji/types/core/v1";
import { NetworkPolicy } from "@kaji/types/networking/v1";

/** A Deployment with most of what servers change: defaults, quantities, lists that are merged, and references that are one value. */
const deployment = {
  metadata: { name: "web", labels: { app: "web" } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          {
            name: "web",
            image: "nginx:1.29",
            args: ["-x"],
            ports: [{ containerPort: 80 }, { name: "metrics", containerPort: 9090, protocol: "TCP" }],
            env: [
              { name: "PLAIN", value: "1" },
              { name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
              { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
            ],
            resources: { limits: { cpu: "1000m", memory: "1024Mi" }, requests: { cpu: "0.5" } },
            readinessProbe: { httpGet: { path: "/", port: 80 } },
            volumeMounts: [{ name: "data", mountPath: "/data" }],
          },
        ],
        volumes: [
          { name: "data", emptyDir: { sizeLimit: "1024Mi" } },
          { name: "token", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
        ],
        tolerations: [{ key: "spot", operator: "Exists" }],
        nodeSelector: { disk: "fast" },
      },
    },
  },
} as const satisfies Draft<Deployment>;

/** Claims are one value to the server, which fills in what a claim by itself would have. */
const statefulSet: ApplyConfiguration<StatefulSet> = {
  metadata: { name: "web" },
  spec: {
    serviceName: "web",
    selector: { matchLabels: { app: "store" } },
    template: { metadata: { labels: { app: "store" } }, spec: { containers: [{ name: "store", image: "store:1" }] } },
    volumeClaimTemplates: [
      { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } } },
    ],
  },
};

const controller = defineController(ConfigMap, {
  name: "web",
  owns: [Deployment, Service, StatefulSet, NetworkPolicy],
  takesOver: ["old-loop"],
  async reconcile(_config, { apply }) {
    await apply(Deployment, deployment);
    await apply(Service, { metadata: { name: "web" }, spec: { selector: { app: "web" }, ports: [{ port: 80 }] } });
    await apply(StatefulSet, statefulSet);
    await apply(NetworkPolicy, { metadata: { name: "web" }, spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } });
  },
});

/** Makes what the controller looks after as a program without server-side apply does it that was there before; the controller then takes over, and changes nothing but what it does not want. */
export async function succeedLoop(user: KubeClient, site: Site): Promise<void> {
  const options = { fieldManager: "old-loop" };
  await user.create(
    Service,
    { metadata: { name: "web", namespace: "default" }, spec: { selector: { app: "web" }, ports: [{ port: 80 }] } },
    options,
  );
  const { metadata, spec } = deployment;
  const made = await user.create(
    Deployment,
    { metadata: { ...metadata, namespace: "default", annotations: { by: "loop" } }, spec },
    options,
  );
  const template = { spec: { containers: [{ name: "web", env: [{ name: "UNWANTED", value: "1" }] }] } };
  await user.strategicPatch(Deployment, "default/web", { spec: { template } }, options);
  const { spec: address } = await user.get(Service, "default/web");
  const [first, second] = [await runOnce(site), await runOnce(site)];
  const path = "/apis/apps/v1/namespaces/default/deployments/web";
  const servicePath = "/api/v1/namespaces/default/services/web";
  assert.deepEqual(
    first.filter((line) => /deployments|services/.test(line)),
    [path, path, servicePath, servicePath].map((each) => `PATCH ${each}`),
  );
  assert.deepEqual(second, []);
  const now = await user.get(Deployment, "default/web");
  assert.deepEqual([now.metadata.uid, now.metadata.annotations?.["by"]], [made.metadata.uid, undefined]);
  assert.deepEqual(now.spec, made.spec);
  assert.deepEqual((await user.get(Service, "default/web")).spec, address);
}

/** A server to run against, and its time. */
export interface Site {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Lets a little time pass. */
  readonly moment: () => Promise<void>;
}

/** Runs a program with the controller until there is nothing left to do, twice over each object, and says what it wrote. */
export async function runOnce({ transport, clock, moment }: Site): Promise<readonly string[]> {
  const writes: string[] = [];
  const counted: Transport = (request) => {
    if (request.method !== "GET") writes.push(`${request.method} ${request.path.replace(/\?.*/, "")}`);
    return transport(request);
  };
  const client = new KubeClient(counted, { clock });
  const informers = new Informers({ source: client.listerWatcher, clock, random: systemRandom });
  const ignore = (): void => undefined;
  const fail = ({ err }: { readonly err?: unknown }, _message: string): void => void writes.push(String(err));
  const log: Log = { debug: ignore, info: ignore, warn: fail, error: fail, child: () => log };
  const running = runController(controller, {
    client,
    informers,
    clock,
    random: systemRandom,
    log,
    recorder: { event: ignore },
    namespaces: ["default"],
  });
  const [end, endInformers] = [new AbortController(), new AbortController()];
  const mirroring = informers.run(endInformers.signal);
  const working = running.run(end.signal);
  for (let isSynced = false; !isSynced; await moment())
    isSynced = running.mirrored.length > 0 && running.mirrored.every((kind) => kind.isSynced);
  for (const _pass of [1, 2]) {
    running.enqueue("default/a");
    for (let quiet = 0; quiet < 10; await moment()) quiet = running.load.queued + running.load.inFlight === 0 ? quiet + 1 : 0;
  }
  end.abort();
  await working;
  endInformers.abort();
  await mirroring;
  return writes;
}
