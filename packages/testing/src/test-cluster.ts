import { KubeClient } from "@kaji/client";
import type { Cluster, ClusterOptions, ClusterSnapshot } from "@kaji/cluster";
import { durationMs } from "@kaji/core";
import type { DurationLike, Transport } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { EventSink, runController } from "@kaji/runtime";
import type { ControllerEnvironment, OperatorRunnable, RunningController } from "@kaji/runtime";
import { ClustersTogether } from "./clusters-together.ts";
import { EndlessWork } from "./endless-work.ts";
import { ErrorLog } from "./error-log.ts";
import { GrantUse } from "./grant-use.ts";
import type { UnusedGrant } from "./grant-use.ts";
import { TestedRunnables } from "./tested-runnables.ts";
import { TestedWebhooks } from "./tested-webhooks.ts";
import { requireOperator } from "./install-operator.ts";
import type { OperatorParts } from "./install-operator.ts";
import { OperatorAccess } from "./operator-access.ts";
import { operatorUser } from "./operator-account.ts";
import { preparedCluster } from "./prepared-cluster.ts";
import { ReconcileFailures } from "./reconcile-failures.ts";
import { reconcileObserver } from "./reconcile-observer.ts";
import { startParts } from "./start-parts.ts";
import { unservedKind } from "./unserved-kind.ts";
import { WaitingRequeues } from "./waiting-requeues.ts";
import { WorkUnderWay } from "./work-under-way.ts";
import { startMsOf } from "./start-time.ts";
import type { StartTime } from "./start-time.ts";

/** An operator, and what the cluster is like that it is tried in. */
export interface TestClusterOptions extends OperatorParts, StartTime, Pick<ClusterOptions, "nodes" | "scheduler" | "delays"> {
  /** What runs beside the controllers, as with `runOperator`: there is one replica, which leads. What one throws is thrown by `settled`, `advance` or the end of the cluster. */
  readonly runnables?: readonly OperatorRunnable[] | undefined;
  /** The controllers of Kubernetes that run, by name. Default: all. */
  readonly builtins?: readonly string[] | undefined;
  /** Other clusters that the operator works in. `settled` and `advance` of this one are of all of them: it waits until nothing is left to happen in any, and lets the same time go by in each. */
  readonly beside?: readonly TestCluster[] | undefined;
  /** What chance depends on. Default 1. */
  readonly seed?: number | undefined;
  /** Where what the operator uses of its grants is counted, over all clusters of a suite. Default: this cluster's own. */
  readonly grants?: GrantUse | undefined;
}

/** A cluster of one test, with time in the hands of the test. */
export interface TestCluster extends Cluster {
  readonly clock: ManualClock;
  /** The operator's controllers at work. */
  readonly controllers: readonly RunningController[];
  /** What the operator logged as errors. Whoever looks takes responsibility: failures that nobody looked at, and that no later reconcile made good, fail the test at the end of the cluster. */
  readonly errors: readonly string[];
  /** What the API server and webhooks have warned of, in the answers to `client`; what is said again is there once. */
  readonly warnings: readonly string[];
  /** What the controllers declare and have not needed so far. */
  unusedGrants(): readonly UnusedGrant[];
  /** Lets time go by, and happen what is due in it. A reconcile that has waited for a second of real time, such as for somebody outside who does not answer, may wait for just that, and is not waited for. */
  advance(by: DurationLike): Promise<void>;
  /** Another cluster with the same state and the same operator, as soon as nothing is left to happen. From then on neither knows of the other. */
  fork(): Promise<TestCluster>;
}

/**
 * Starts a cluster in memory with an operator on it, which may do just what its controllers declare.
 * Time stands still unless the test moves it, and nothing sleeps: `settled` waits for what there is to do, and for nothing else. When the operator has tried what it
 * does not declare, `settled`, `advance` and the end of the cluster throw a `PermissionError`. When the last reconcile of an object failed, and the test has not looked at `errors` since, the end of
 * the cluster throws a `FailedReconcilesError`.
 */
export async function testCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { builtins, nodes, scheduler, delays, seed = 1 } = options;
  requireOperator(options);
  const bare = { controllers: builtins, nodes, scheduler, delays, startMs: startMsOf(options) };
  return operate(await preparedCluster(bare, options), options, seed);
}

/** Runs the operator in a cluster of that state, in which it is installed. */
async function operate(snapshot: ClusterSnapshot, options: TestClusterOptions, seed: number): Promise<TestCluster> {
  const { controllers = [], grants = new GrantUse() } = options;
  const access = new OperatorAccess(controllers, grants);
  const [clock, random, log] = [new ManualClock(snapshot.atMs), seededRandom(seed), new ErrorLog([], (error) => access.failed(error))];
  await using starting = new AsyncDisposableStack();
  const webhooks = new TestedWebhooks(options, { clock, log });
  const cluster = starting.use(await snapshot.restore({ clock, random, ...webhooks.targets }));

  const { client, warnings } = usersClient(cluster.transport(), { clock, random });
  const end = new AbortController();
  starting.defer(() => end.abort());
  const [failures, requeues, endless] = [new ReconcileFailures(), new WaitingRequeues(clock), new EndlessWork(clock, () => end.abort())];
  const tools = { clock, random, log, observer: reconcileObserver(failures, requeues, endless) };
  const environment = operatorEnvironment(access.through(cluster.transport(operatorUser)), tools, { signal: end.signal, endless });
  const mirrors = webhooks.connect(new KubeClient(cluster.transport(operatorUser), { clock, random }), { ...environment, controllers });
  const running = controllers.map((controller) => runController(controller, environment));
  const [work, parts] = [new WorkUnderWay(running), [...running, mirrors]];
  starting.use(cluster.include(() => !endless.isFound && work.isBusy() && unservedKind(parts, name) === undefined));
  const beside = starting.use(new TestedRunnables(options.runnables ?? [], environment, running));
  starting.use(await startParts(parts, beside, end, { by: name, pass: () => clock.advance(graceMs), settled: () => cluster.settled() }));
  await cluster.settled();
  const all = starting.move();
  const check = (): void => {
    // A refusal is what the reconcile failed with.
    if (access.hasRefusals) failures.told();
    access.check();
    endless.check();
    beside.check();
  };
  const together = new ClustersTogether([{ client, clock, settled: () => cluster.settled() }, ...(options.beside ?? [])]);
  const settled = async (): Promise<void> => {
    endless.begin();
    await together.settled();
    check();
  };
  let forks = 0;
  return {
    ...cluster,
    client,
    clock,
    warnings,
    controllers: running,
    get errors() {
      failures.told();
      return log.lines;
    },
    unusedGrants: () => grants.unused(controllers),
    settled,
    advance: (by) => work.whileTimeMoves(async () => (await settled(), await together.advance(durationMs(by)), settled())),
    // Another chance, or objects of both would be given the same uids.
    fork: async () => operate(await together.alone(cluster).snapshot(), options, seed + forkSeed * ++forks),
    async [Symbol.asyncDispose]() {
      await using _all = all;
      await requeues.tell(client, controllers);
      check();
      await failures.check(client, controllers);
    },
  };
}

/** As a test calls it. */
const name = "testCluster";

/** What is given to a reconcile that does not end by its signal. */
const graceMs = 1000;

/** Keeps the seeds of forks away from those that tests give. */
const forkSeed = 0x10001;

/** What the test itself works with, and what that is warned of. */
function usersClient(
  transport: Transport,
  tools: Pick<ControllerEnvironment, "clock" | "random">,
): { readonly client: KubeClient; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  return { client: new KubeClient(transport, { ...tools, fieldManager: "kaji", onWarning: (text) => void warnings.push(text) }), warnings };
}

/** What the operator works with: the API server as its own account sees it, and mirrors of its own. */
function operatorEnvironment(
  transport: Transport,
  tools: Pick<ControllerEnvironment, "clock" | "random" | "log" | "observer">,
  { signal, endless }: { readonly signal: AbortSignal; readonly endless: EndlessWork },
): ControllerEnvironment {
  const client = new KubeClient(transport, { ...tools, onWarning: () => {} });
  const informers = new Informers({ ...tools, source: client.listerWatcher, isInProcess: true });
  const recorder = new EventSink({ ...tools, client, reporter: { controller: "operator", instance: "operator-0" } });
  void informers.run(signal);
  void recorder.run(signal);
  // What is still under way in the end waits for what will not come.
  return { ...tools, client, informers, recorder: endless.hearing(recorder), abandon: signal };
}
