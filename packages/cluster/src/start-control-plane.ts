import { join } from "node:path";
import {
  LocalApiServices,
  ServiceAccountTokens,
  byCertificate,
  createMemoryStorage,
  issuerPaths,
  listen,
  openEtcdStorage,
  openPki,
  openSqliteStorage,
} from "@kaji/apiserver";
import type {
  ApiServer,
  EtcdOptions,
  ExtensionTargets,
  Listener,
  Pki,
  RequestRecord,
  ServerRequest,
  WebhookTargets,
} from "@kaji/apiserver";
import { systemClock, systemRandom } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import type { Log } from "@kaji/runtime";
import { writeAuthenticationConfig } from "./aggregation/authentication-config.ts";
import { builtinPriorities } from "./aggregation/builtin-priorities.ts";
import { createApiServer } from "./create-api-server.ts";
import type { ControlLoopOptions } from "./loops/control-loops.ts";
import { clusterNodes } from "./loops/cluster-nodes.ts";
import { lockDataFolder } from "./data-folder-lock.ts";
import { makeDataFolder, requireWritableFolder } from "./data-folder.ts";
import { requireReplaceable, writeKubeconfig } from "./kubeconfig.ts";
import { nodeAccess } from "./kubelet/node-access.ts";
import type { PodRuntime } from "./kubelet/pod-runtime.ts";
import type { CommandLookup, ProgramLookup } from "./kubelet/processes/image-programs.ts";
import { LoopbackNetwork } from "./kubelet/processes/loopback-network.ts";
import type { PodServer } from "./kubelet/processes/server-processes.ts";
import { SimulatedRuntime } from "./kubelet/simulated-runtime.ts";
import { measuredUsage } from "./metrics/measured-usage.ts";
import { createMetricsRole } from "./metrics/metrics-role.ts";
import { metricsPriorities } from "./metrics/metrics-kinds.ts";
import { advertisedAddress, reachableUrl, servingNames } from "./network-names.ts";
import { nextTurn } from "./loops/next-turn.ts";
import { reconcilePolicy } from "./rbac/bootstrap/reconcile-policy.ts";
import { RoleAggregation } from "./rbac/role-aggregation.ts";
import { serviceResolver } from "./service-resolver.ts";
import { silentLog } from "./loops/silent-log.ts";
import { ClientCertificates } from "./upkeep/client-certificates.ts";
import { createNeededObjects, createServerObjects } from "./upkeep/first-objects.ts";
import type { ServerAddress } from "./upkeep/first-objects.ts";
import { logTrouble } from "./upkeep/log-trouble.ts";
import { LocalApi } from "./upkeep/local-api.ts";
import { NamespaceController } from "./upkeep/namespace-controller.ts";
import { ServiceAddressRepair } from "./upkeep/service-address-repair.ts";
import { TokenSecrets } from "./upkeep/token-secrets.ts";

export { ToldError } from "./controllers/told-error.ts";

/** What a control plane is made of, and where it is reached. */
export interface ControlPlaneOptions extends ControlLoopOptions {
  /** For keys, certificates, the kubeconfig and, with SQLite, all objects. Made if it is not there. */
  readonly folder: string;
  /** Default `sqlite`, which survives the loss of power; `memory` lasts as long as the process. Else an etcd. */
  readonly storage?: "memory" | "sqlite" | EtcdOptions;
  /** Default loopback. */
  readonly host?: string;
  /** Default any free port. */
  readonly port?: number;
  /** Where to write a kubeconfig for the cluster's admin. Default in the folder. */
  readonly kubeconfig?: string;
  /** Which containers are run really, as processes of this machine, and which program each is. Default none: all of them are simulated. */
  readonly programs?: ProgramLookup;
  /** Which commands of probes and hooks are run really in such containers, and which program each is. Default none: they are simulated, as far as they can be. */
  readonly commands?: CommandLookup;
  /** Whether pods need a service account that exists, and get its token. Default true. */
  readonly serviceAccounts?: boolean;
  /** Where the webhooks are that configurations and definitions name. Default wherever their URLs say, and behind services. */
  readonly webhooks?: WebhookTargets;
  /** Servers of this process that APIServices name, by the origin of their service. */
  readonly extensions?: Pick<ExtensionTargets, "inProcess">;
  /** Is told of every request when it has been answered. */
  readonly observe?: (record: RequestRecord) => void;
  /** Where controllers, scheduler and kubelets say what they do. Default nowhere. */
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** A control plane that clients can reach. Disposing of it ends watches quietly and stops it; its data stays. */
export interface ControlPlane extends AsyncDisposable {
  readonly url: string;
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;
  readonly server: ApiServer;
}

/**
 * Starts storage, API server, the server's own controllers and the network, in this process.
 * Whatever stands in the way (port, folder, data, kubeconfig) is thrown before anything has been changed.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { folder, storage: type = "sqlite", host = "127.0.0.1", port = 0, clock = systemClock, random = systemRandom } = options;
  const { kubeconfig = join(folder, "kubeconfig"), observe = () => {}, log = silentLog } = options;
  requireWritableFolder(folder);
  requireReplaceable(kubeconfig);
  const pki = openPki(join(folder, "pki"), { hosts: servingNames(host), clock, random });

  await using starting = new AsyncDisposableStack();
  const server = Promise.withResolvers<ApiServer>();
  const listener = await listen(whenReady(server.promise), { host, port, tls: { ...pki.serving, clientCa: pki.authority.cert }, clock });
  starting.use(listener);
  starting.defer(() => server.reject(new Error("the control plane did not start")));
  const url = reachableUrl(listener.url);

  const etcd = typeof type === "string" ? undefined : starting.use(await openEtcdStorage(type, { clock }));
  makeDataFolder(folder);
  const lock = starting.use(lockDataFolder(folder));
  const storage = etcd ?? starting.use(type === "memory" ? createMemoryStorage({ clock }) : openSqliteStorage(folder, { clock }));
  // Nothing stands in the way any more. A client that connects from now on waits for an answer, not for the network.
  pki.save();
  writeKubeconfig(kubeconfig, { url, authority: pki.authority.cert, client: pki.admin });
  const tokens = new ServiceAccountTokens({ key: pki.tokenKey, clock, random });
  const simulated = new SimulatedRuntime(clock, options.delays);
  const network = options.programs && starting.use(await LoopbackNetwork.claim());
  const processes = network && starting.use(await startProcesses(options, simulated, { url, storage, tokens, clock, network }));
  const runtime = processes ?? simulated;
  const targets = network === undefined ? {} : { resolveService: serviceResolver(storage, random, (address) => network.reach(address)) };
  const apiServer = createApiServer({
    storage,
    authorize: "rbac",
    authenticators: [byCertificate],
    tokens,
    paths: issuerPaths(tokens, url),
    serviceAccounts: options.serviceAccounts ?? true,
    webhooks: { ...targets, ...options.webhooks },
    extensions: { ...targets, ...options.extensions, frontProxy: pki.frontProxy },
    nodes: nodeAccess(runtime, storage),
    ...(clusterNodes(options.nodes).length > 0 ? { usage: measuredUsage(runtime, storage) } : {}),
    observe,
    onTrouble: logTrouble(log),
    clock,
    random,
  });
  await nextTurn();
  await createNeededObjects(new LocalApi(apiServer.transport(), "kube-apiserver"));
  apiServer.use(await LocalApiServices.start(apiServer, { ...builtinPriorities, ...metricsPriorities }));
  await nextTurn();
  await reconcilePolicy(apiServer);
  server.resolve(apiServer);

  const address = { host: advertisedAddress(host), port: listener.port };
  const controllers = starting.use(await startControllers(apiServer, { pki, tokens, address, runtime }, options));
  starting.move();
  const stopAll = async (): Promise<void> => {
    using _lock = lock;
    await stop(listener, controllers, processes, network, apiServer);
  };
  return { url, kubeconfig, server: apiServer, [Symbol.asyncDispose]: stopAll };
}

/** What controllers are told of the control plane they are part of. */
interface Surroundings {
  readonly pki: Pki;
  readonly tokens: ServiceAccountTokens;
  readonly address: ServerAddress;
  readonly runtime: PodRuntime;
}

/** Starts all that clients need not wait for, since its parts are clients themselves. The others have their turn after each of them. */
async function startControllers(
  server: ApiServer,
  { pki, tokens, address, runtime }: Surroundings,
  options: ControlPlaneOptions,
): Promise<AsyncDisposable> {
  const { log = silentLog } = options;
  const { clock, random } = server;
  const apiOf = (name: string): LocalApi => new LocalApi(server.transport(), name, log);
  await using starting = new AsyncDisposableStack();
  await nextTurn();
  await createServerObjects(apiOf("kube-apiserver"), address);
  server.use(new ServiceAddressRepair(server, apiOf("kube-apiserver")));
  await nextTurn();
  await writeAuthenticationConfig(apiOf("kube-apiserver"), { clients: pki.authority.cert, frontProxy: pki.frontProxyAuthority.cert });
  starting.use(new NamespaceController(server, apiOf("kube-controller-manager"), pki.authority.cert));
  starting.use(new TokenSecrets(server, apiOf("kube-controller-manager"), { tokens, rootCa: pki.authority.cert }));
  starting.use(new ClientCertificates(server, apiOf("kube-controller-manager"), pki.authority));
  await nextTurn();
  if (clusterNodes(options.nodes).length > 0) await createMetricsRole(apiOf("kube-apiserver"));
  server.use(new RoleAggregation(server, apiOf("clusterrole-aggregation-controller")));
  await nextTurn();
  const { startControlLoops } = await import("./loops/control-loops.ts");
  const environment = { server, transport: server.transport(), clock, random, log, runtime, betweenStarts: nextTurn };
  starting.use(await startControlLoops(environment, options));
  return starting.move();
}

/** Clients first: their watches end, their requests are answered, and only then does the storage close. */
async function stop(listener: Listener, ...others: readonly (AsyncDisposable | undefined)[]): Promise<void> {
  await listener[Symbol.asyncDispose]();
  for (const other of others) await other?.[Symbol.asyncDispose]();
}

/** What runs containers as processes, which is not even loaded where there are no programs to run. */
async function startProcesses(
  { programs, commands = () => undefined }: ControlPlaneOptions,
  others: PodRuntime,
  server: PodServer,
): Promise<(PodRuntime & AsyncDisposable) | undefined> {
  if (programs === undefined) return undefined;
  const { serverProcesses } = await import("./kubelet/processes/server-processes.ts");
  return serverProcesses({ programs, commands }, others, server);
}

/** The network is there before the server: a port that is taken is noticed before any data is touched. */
function whenReady(server: Promise<ApiServer>): Pick<ApiServer, "handle"> {
  server.catch(() => {}); // Whoever started it hears of it.
  return { handle: async (request: ServerRequest) => (await server).handle(request) };
}
