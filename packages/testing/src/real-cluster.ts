import { createClient, loadConfig } from "@kaji/client";
import type { KubeClient, LoadOptions } from "@kaji/client";
import { durationMs, systemClock, systemRandom } from "@kaji/core";
import type { DurationLike } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { EventSink, FrontProxy, runController } from "@kaji/runtime";
import type { OperatorRunnable, RunningController } from "@kaji/runtime";
import { serveWebhooks } from "@kaji/runtime/testing";
import type { ServeWebhooksOptions, ServedTestWebhooks } from "@kaji/runtime/testing";
import { CustomResourceDefinition } from "@kaji/types/apiextensions/v1";
import { ErrorLog } from "./error-log.ts";
import { HeardObjects } from "./heard-objects.ts";
import { apiOrigin, installOperator, requireOperator, uninstallWebhooks } from "./install-operator.ts";
import type { OperatorParts } from "./install-operator.ts";
import { operatorUser } from "./operator-account.ts";
import { ReconcileFailures } from "./reconcile-failures.ts";
import { reconcileObserver } from "./reconcile-observer.ts";
import { startParts } from "./start-parts.ts";
import { TestedRunnables } from "./tested-runnables.ts";
import { TestedWebhooks } from "./tested-webhooks.ts";

/** An operator, and the server that it is tried on. */
export interface RealClusterOptions extends Omit<OperatorParts, "isAlmighty">, Pick<LoadOptions, "context"> {
  /** Who has all rights on a server that may be thrown away, such as one of KUBEBUILDER_ASSETS. Nothing is taken from the environment by itself. */
  readonly kubeconfig: string;
  /** What runs beside the controllers, as with `testCluster`: there is one replica, which leads. What one throws is thrown by `settled` or the end of the cluster. Nobody waits for what they do by the clock. */
  readonly runnables?: readonly OperatorRunnable[] | undefined;
  /** The name or address under which the server reaches this machine, for it to call webhooks and conversions. Default: loopback, if the server is on this machine. */
  readonly webhookHost?: string | undefined;
  /** How long the operator, having heard of everything that the server has, may do nothing until `settled` believes that it will not. Default 500 ms. */
  readonly quiet?: DurationLike | undefined;
  /** How long `settled` waits at most, and the start for definitions to be served. Default 30 s. */
  readonly patience?: DurationLike | undefined;
}

/** A real API server with an operator on it, offering a test what `testCluster` offers, as far as real time allows. */
export interface RealCluster extends AsyncDisposable {
  /** Who may do everything. */
  readonly client: KubeClient;
  readonly controllers: readonly RunningController[];
  /** What the operator logged as errors. As with `testCluster`, failures that nobody looked at, and that no later reconcile made good, fail the test at the end. */
  readonly errors: readonly string[];
  /** What the API server and webhooks have warned of, in the answers to `client`; what is said again is there once. */
  readonly warnings: readonly string[];
  /** Returns when the operator has heard of everything, and has had nothing to do for a while. */
  settled(): Promise<void>;
}

/** Installs an operator on a real API server and runs it here, under an account that may do just what its controllers declare. */
export async function realCluster(options: RealClusterOptions): Promise<RealCluster> {
  const { kubeconfig, context, controllers = [], runnables = [], quiet = "500ms", patience = "30s" } = options;
  requireOperator(options);
  const [clock, random, log] = [systemClock, systemRandom, new ErrorLog()];
  const { connection } = await loadConfig({ kubeconfig, context });
  const { username, groups } = operatorUser;
  const impersonate = { username, groups: [...(groups ?? [])] };
  await using starting = new AsyncDisposableStack();
  const silently = { clock, random, fieldManager: "kaji-test", onWarning: () => {} };
  const warnings: string[] = [];
  const admin = starting.use(await createClient({ ...silently, connection, onWarning: (text) => void warnings.push(text) }));
  const operator = starting.use(
    await createClient({ ...silently, connection: { ...connection, user: { ...connection.user, impersonate } } }),
  );
  const frontProxy = (options.apis ?? []).length === 0 ? undefined : new FrontProxy({ client: admin, clock, random, log });
  const webhooks = new TestedWebhooks(options, { clock, log, userOf: (credentials) => frontProxy?.userOf(credentials) });
  const place = isCalled(options)
    ? starting.use(await serveHere(webhooks, { frontProxy, clock, random, host: options.webhookHost ?? loopbackOf(connection.server) }))
    : undefined;
  if (place !== undefined) starting.defer(() => uninstallWebhooks(admin, options));
  await installOperator(admin, options, place);
  const patienceMs = durationMs(patience);
  await untilServed(admin, { clock, patienceMs });

  const end = new AbortController();
  const heard = new HeardObjects(operator.listerWatcher);
  const informers = new Informers({ clock, random, source: heard.source });
  const recorder = new EventSink({ clock, random, log, client: operator, reporter: { controller: "operator", instance: "operator-0" } });
  const failures = new ReconcileFailures();
  const environment = { clock, random, log, client: operator, informers, recorder, observer: reconcileObserver(failures) };
  const mirrors = webhooks.connect(operator, { ...environment, controllers });
  const running = controllers.map((controller) => runController(controller, environment));
  const background = Promise.all([informers, recorder].map((part) => part.run(end.signal)));
  starting.defer(async () => {
    end.abort();
    await background;
  });
  const beside = starting.use(new TestedRunnables(runnables, environment, running));
  const served = (signal: AbortSignal): Promise<void> => clock.sleep(patienceMs, signal);
  starting.use(await startParts([mirrors, ...running], beside, end, { by: "realCluster", settled: served }));
  const all = starting.move();
  return {
    client: admin,
    controllers: running,
    warnings,
    get errors() {
      failures.told();
      return log.lines;
    },
    async settled() {
      await untilQuiet(running, heard, { clock, quietMs: durationMs(quiet), patienceMs });
      beside.check();
    },
    async [Symbol.asyncDispose]() {
      await using _all = all;
      beside.check();
      await failures.check(admin, controllers);
    },
  };
}

/** Whether the server calls the operator. */
function isCalled({ webhooks = [], conversions = [], apis = [] }: OperatorParts): boolean {
  return webhooks.length + conversions.length + apis.length > 0;
}

/** Serves what a server calls, for as long as the test runs, and finds out by what it is known where it passes requests on. */
async function serveHere(
  { handler }: TestedWebhooks,
  { frontProxy, ...options }: Pick<ServeWebhooksOptions, "clock" | "host" | "random"> & { readonly frontProxy: FrontProxy | undefined },
): Promise<ServedTestWebhooks> {
  if (frontProxy === undefined) return await serveWebhooks(handler, options);
  const end = new AbortController();
  const knowing = frontProxy.run(end.signal);
  await Promise.race([frontProxy.ready, knowing]);
  const served = await serveWebhooks(handler, { ...options, names: [options.host, new URL(apiOrigin).hostname], frontProxy });
  return {
    ...served,
    async [Symbol.asyncDispose]() {
      end.abort();
      await Promise.all([knowing, served[Symbol.asyncDispose]()]);
    },
  };
}

/** Where a server on this machine reaches whatever runs on it. */
function loopbackOf(server: string): string {
  const { hostname } = new URL(server);
  if (["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return hostname === "[::1]" ? "::1" : hostname;
  throw new TypeError(
    `realCluster(): the server ${server} is not on this machine, so that webhookHost has to say where it reaches webhooks that run here; or leave out webhooks, conversions and APIs`,
  );
}

/** How often it is looked whether something has happened. */
const lookMs = 50;

/** Returns when the operator has heard of everything, and has had nothing to do for a while. */
async function untilQuiet(running: readonly RunningController[], heard: HeardObjects, within: Patience & Quiet): Promise<void> {
  const { clock, quietMs, patienceMs } = within;
  const isBusy = (): boolean => running.some(({ load }) => load.queued + load.inFlight + load.looking > 0);
  const end = new AbortController();
  using _limit = clock.timer(patienceMs, () => end.abort(new Error(`the operator is still at work after ${patienceMs / 1000} s`)));
  for (let quietSinceMs = clock.monotonic(); ;) {
    await clock.sleep(lookMs, end.signal);
    if (isBusy()) quietSinceMs = clock.monotonic();
    if (clock.monotonic() - quietSinceMs < quietMs) continue;
    if ((await heard.areAll(end.signal)) && !isBusy()) return;
    quietSinceMs = clock.monotonic();
  }
}

interface Patience {
  readonly clock: typeof systemClock;
  readonly patienceMs: number;
}

interface Quiet {
  readonly quietMs: number;
}

/** A definition takes a while to be served. */
async function untilServed(client: KubeClient, { clock, patienceMs }: Patience): Promise<void> {
  const startMs = clock.monotonic();
  for (;;) {
    const { items } = await client.list(CustomResourceDefinition);
    const isServed = (each: (typeof items)[number]): boolean =>
      each.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") ?? false;
    if (items.every(isServed)) return;
    if (clock.monotonic() - startMs > patienceMs) {
      throw new Error(`the definitions of the operator's resources are not served after ${patienceMs / 1000} s`);
    }
    await clock.sleep(lookMs);
  }
}
