import { LocalApiServices, ServiceAccountTokens, createMemoryStorage } from "@kaji/apiserver";
import type { ApiServer, VersionedStorage } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { systemClock, systemRandom } from "@kaji/core";
import type { Transport } from "@kaji/core";
import { builtinPriorities } from "./aggregation/builtin-priorities.ts";
import type { Cluster, ClusterOptions, ClusterSnapshot } from "./cluster.ts";
import { createApiServer } from "./create-api-server.ts";
import { clusterNodes } from "./loops/cluster-nodes.ts";
import { startControlLoops } from "./loops/control-loops.ts";
import type { Rest } from "./loops/control-loops.ts";
import { nodeAccess } from "./kubelet/node-access.ts";
import { SimulatedRuntime } from "./kubelet/simulated-runtime.ts";
import { measuredUsage } from "./metrics/measured-usage.ts";
import { createMetricsRole } from "./metrics/metrics-role.ts";
import { metricsPriorities } from "./metrics/metrics-kinds.ts";
import { advertisedAddress } from "./network-names.ts";
import { Quiescence } from "./loops/quiescence.ts";
import { reconcilePolicy } from "./rbac/bootstrap/reconcile-policy.ts";
import { RoleAggregation } from "./rbac/role-aggregation.ts";
import { silentLog } from "./loops/silent-log.ts";
import { createFirstObjects } from "./upkeep/first-objects.ts";
import { logTrouble } from "./upkeep/log-trouble.ts";
import { LocalApi } from "./upkeep/local-api.ts";
import { NamespaceController } from "./upkeep/namespace-controller.ts";
import { ServiceAddressRepair } from "./upkeep/service-address-repair.ts";

/** The state that a cluster begins with. */
interface Origin {
  readonly storage: VersionedStorage;
  readonly runtime: SimulatedRuntime;
  readonly rest: Rest;
}

/** Starts an API server with all its controllers, a scheduler and nodes on which pods seem to run. */
export function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  return runCluster(options, undefined);
}

/** Runs a cluster, from the state of another one if there is one. */
async function runCluster(options: ClusterOptions, origin: Origin | undefined): Promise<Cluster> {
  const {
    clock = systemClock,
    random = systemRandom,
    log = silentLog,
    rbac = true,
    webhooks = {},
    extensions = {},
    observe = () => {},
    tokenKey: key,
  } = options;
  await using starting = new AsyncDisposableStack();
  const storage = origin?.storage.fork({ clock }) ?? options.storage ?? createMemoryStorage({ clock });
  const runtime = origin?.runtime.copy(clock) ?? new SimulatedRuntime(clock, options.delays);
  const nodes = nodeAccess(runtime, storage);
  const usage = clusterNodes(options.nodes).length > 0 ? { usage: measuredUsage(runtime, storage) } : {};
  const authorize = rbac ? ({ authorize: "rbac" } as const) : {};
  const tokens = key === undefined ? {} : { tokens: new ServiceAccountTokens({ key, clock, random }) };
  const outside = { webhooks, extensions, observe, onTrouble: logTrouble(log) };
  const server = starting.use(createApiServer({ storage, clock, random, nodes, ...outside, ...usage, ...authorize, ...tokens }));
  const quiescence = new Quiescence(() => storage.currentRevision);
  const transport = (...user: Parameters<ApiServer["transport"]>): Transport => quiescence.counting(server.transport(...user));
  const apiOf = (name: string): LocalApi => new LocalApi(transport(), name, log);

  const hasMetrics = usage.usage !== undefined;
  starting.use(await startServerControllers(server, apiOf, { rbac, hasMetrics, isAtRest: origin !== undefined }));
  const loops = starting.use(
    await startControlLoops({ server, transport: transport(), clock, random, log, runtime }, options, origin?.rest),
  );
  starting.use(quiescence.include(() => !loops.isIdle));
  const client = new KubeClient(transport(), { clock, random, fieldManager: "kaji", onWarning: () => {} });

  const all = starting.move();
  const snapshot = async (): Promise<ClusterSnapshot> => {
    await quiescence.settled();
    const rest = { sinceMs: clock.now(), due: loops.due };
    const state: Origin = { storage: storage.fork({ clock, historyMs: Infinity }), runtime: runtime.copy(clock), rest };
    return { atMs: rest.sinceMs, restore: (changes) => runCluster({ ...options, ...changes }, state) };
  };
  return {
    server,
    client,
    clock,
    pods: runtime.pods,
    transport,
    include: (isBusy) => quiescence.include(isBusy),
    settled: () => quiescence.settled(),
    snapshot,
    fork: async (changes) => (await snapshot()).restore(changes),
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
}

/** Makes what every cluster has, and starts the controllers that are part of the API server. Where all is at rest there is nothing to make. */
async function startServerControllers(
  server: ApiServer,
  apiOf: (name: string) => LocalApi,
  { rbac, hasMetrics, isAtRest }: { readonly rbac: boolean; readonly hasMetrics: boolean; readonly isAtRest: boolean },
): Promise<NamespaceController> {
  if (!isAtRest) await createFirstObjects(apiOf("kube-apiserver"), { host: advertisedAddress("127.0.0.1"), port: 6443 });
  server.use(new ServiceAddressRepair(server, apiOf("kube-apiserver"), { isAtRest }));
  server.use(await LocalApiServices.start(server, { ...builtinPriorities, ...metricsPriorities }, { isAtRest }));
  if (rbac) {
    if (!isAtRest) await reconcilePolicy(server);
    if (!isAtRest && hasMetrics) await createMetricsRole(apiOf("kube-apiserver"));
    server.use(new RoleAggregation(server, apiOf("clusterrole-aggregation-controller"), { isAtRest }));
  }
  return new NamespaceController(server, apiOf("kube-controller-manager"), "", { isAtRest });
}
