import { KubeClient } from "@kaji/client";
import { startCluster } from "@kaji/cluster";
import type { Cluster, ClusterOptions } from "@kaji/cluster";
import { durationMs } from "@kaji/core";
import type { DurationLike } from "@kaji/core";
import { ManualClock, seededRandom } from "@kaji/core/testing";
import { Informers } from "@kaji/informer";
import { EventSink, runController, webhookHandler } from "@kaji/runtime";
import type { ControllerEnvironment, RunningController } from "@kaji/runtime";
import { ErrorLog } from "./error-log.ts";
import { installOperator, webhookOrigin } from "./install-operator.ts";
import type { OperatorParts } from "./install-operator.ts";
import { operatorUser } from "./operator-account.ts";

/** An operator, and what the cluster is like that it is tried in. */
export interface TestClusterOptions extends OperatorParts, Pick<ClusterOptions, "nodes" | "scheduler" | "delays"> {
  /** The controllers of Kubernetes that run, by name. Default: all. */
  readonly builtins?: readonly string[] | undefined;
  /** What chance depends on. Default 1. */
  readonly seed?: number | undefined;
}

/** A cluster of one test, with time in the hands of the test. */
export interface TestCluster extends Cluster {
  readonly clock: ManualClock;
  /** The operator's controllers at work. */
  readonly controllers: readonly RunningController[];
  /** What the operator logged as errors. */
  readonly errors: readonly string[];
  /** Lets time go by, and happen what is due in it. */
  advance(by: DurationLike): Promise<void>;
}

/**
 * Starts a cluster in memory with an operator on it, which may do just what its controllers declare.
 * Time stands still unless the test moves it, and nothing sleeps: `settled` waits for what there is to do, and for nothing else.
 */
export async function testCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { controllers = [], webhooks = [], builtins, seed = 1, nodes, scheduler, delays } = options;
  const [clock, random, log] = [new ManualClock(), seededRandom(seed), new ErrorLog()];
  await using starting = new AsyncDisposableStack();
  const inProcess = new Map([[webhookOrigin, webhookHandler({ webhooks, clock, log })]]);
  const cluster = starting.use(
    await startCluster({ clock, random, webhooks: { inProcess }, controllers: builtins, nodes, scheduler, delays }),
  );
  await installOperator(cluster.client, options);

  const end = new AbortController();
  const environment = operatorEnvironment(cluster, { clock, random, log }, end.signal);
  const running = controllers.map((controller) => runController(controller, environment));
  for (const each of running) starting.use(cluster.include(() => each.load.queued + each.load.inFlight > 0));
  const ended = Promise.all(running.map((each) => each.run(end.signal)));
  starting.defer(async () => {
    end.abort();
    await ended;
  });
  await Promise.race([Promise.all(running.map(({ synced }) => synced)), ended]);
  await cluster.settled();
  const all = starting.move();
  return {
    ...cluster,
    clock,
    controllers: running,
    errors: log.lines,
    async advance(by) {
      await cluster.settled();
      await clock.advance(durationMs(by));
      await cluster.settled();
    },
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
}

/** What the operator works with: the API server as its own account sees it, and mirrors of its own. */
function operatorEnvironment(
  cluster: Cluster,
  tools: Pick<ControllerEnvironment, "clock" | "random" | "log">,
  signal: AbortSignal,
): ControllerEnvironment {
  const client = new KubeClient(cluster.transport(operatorUser), { ...tools, onWarning: () => {} });
  const informers = new Informers({ ...tools, source: client.listerWatcher });
  const recorder = new EventSink({ ...tools, client, reporter: { controller: "operator", instance: "operator-0" } });
  void informers.run(signal);
  void recorder.run(signal);
  return { ...tools, client, informers, recorder };
}
