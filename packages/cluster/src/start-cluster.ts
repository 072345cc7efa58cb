import { LocalApiServices, createMemoryStorage } from "@kaji/apiserver";
import type { ApiServer, ExtensionTargets, Storage, WebhookTargets } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { systemClock, systemRandom } from "@kaji/core";
import type { Clock, Random, Transport } from "@kaji/core";
import type { Log } from "@kaji/runtime";
import { builtinPriorities } from "./aggregation/builtin-priorities.ts";
import { createApiServer } from "./control-plane.ts";
import { startControlLoops } from "./control-loops.ts";
import type { ControlLoopOptions } from "./control-loops.ts";
import { podLogReader } from "./kubelet/pod-log.ts";
import type { PodScripts } from "./kubelet/pod-script.ts";
import { SimulatedRuntime } from "./kubelet/simulated-runtime.ts";
import { advertisedAddress } from "./network-names.ts";
import { Quiescence } from "./quiescence.ts";
import { reconcilePolicy } from "./rbac/bootstrap/reconcile-policy.ts";
import { RoleAggregation } from "./rbac/role-aggregation.ts";
import { silentLog } from "./silent-log.ts";
import { createFirstObjects } from "./startup/first-objects.ts";
import { LocalApi } from "./startup/local-api.ts";
import { NamespaceController } from "./startup/namespace-controller.ts";

/** What a cluster in this process is made of. */
export interface ClusterOptions extends ControlLoopOptions {
  /** Default: in memory, and gone with the cluster. */
  readonly storage?: Storage | undefined;
  /** Whether roles and bindings decide who may do what. Default true; whoever has the cluster's own client may do anything. */
  readonly rbac?: boolean | undefined;
  /** Where the webhooks are that configurations and definitions name. */
  readonly webhooks?: WebhookTargets | undefined;
  /** Servers of this process that APIServices name, by the origin of their service. */
  readonly extensions?: Pick<ExtensionTargets, "inProcess"> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  /** Where the control plane says what it does. Default nowhere. */
  readonly log?: Log | undefined;
}

/** A whole cluster in this process, without a network. */
export interface Cluster extends AsyncDisposable {
  readonly server: ApiServer;
  /** A client that may do anything. */
  readonly client: KubeClient;
  readonly clock: Clock;
  /** What a test says that pods do. */
  readonly pods: PodScripts;
  /** The way to the server for somebody else, as any user; requests on it count as something going on. */
  transport(...user: Parameters<ApiServer["transport"]>): Transport;
  /** Has `settled` wait for the work of somebody else too, such as an operator under test, until it is disposed of. */
  include(isBusy: () => boolean): Disposable;
  /** Resolves when nothing is left to happen before the next timer. */
  settled(): Promise<void>;
}

/** Starts an API server with all its controllers, a scheduler and nodes on which pods seem to run. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { clock = systemClock, random = systemRandom, log = silentLog } = options;
  const { storage = createMemoryStorage({ clock }), rbac = true, webhooks = {}, extensions = {} } = options;
  await using starting = new AsyncDisposableStack();
  const runtime = new SimulatedRuntime(clock, options.delays);
  const readLog = podLogReader(runtime);
  const server = starting.use(
    createApiServer({ storage, clock, random, webhooks, extensions, readLog, ...(rbac ? { authorize: "rbac" } : {}) }),
  );
  const included = new Set<() => boolean>();
  const quiescence = new Quiescence({
    revision: () => server.registry.storage.currentRevision,
    isBusy: () => included.values().some((isBusy) => isBusy()),
  });
  const transport = (...user: Parameters<ApiServer["transport"]>): Transport => quiescence.counting(server.transport(...user));

  await createFirstObjects(new LocalApi(transport(), "kube-apiserver"), { host: advertisedAddress("127.0.0.1"), port: 6443 });
  server.use(await LocalApiServices.start(server, builtinPriorities));
  if (rbac) {
    await reconcilePolicy(server);
    server.use(new RoleAggregation(server, new LocalApi(transport(), "clusterrole-aggregation-controller")));
  }
  starting.use(new NamespaceController(server, new LocalApi(transport(), "kube-controller-manager"), ""));
  const loops = starting.use(await startControlLoops({ transport: transport(), clock, random, log, runtime }, options));
  included.add(() => !loops.isIdle);
  const client = new KubeClient(transport(), { clock, random, fieldManager: "kaji", onWarning: () => {} });

  const all = starting.move();
  return {
    server,
    client,
    clock,
    pods: loops.pods,
    transport,
    include(isBusy) {
      included.add(isBusy);
      return { [Symbol.dispose]: () => included.delete(isBusy) };
    },
    settled: () => quiescence.settled(),
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
}
