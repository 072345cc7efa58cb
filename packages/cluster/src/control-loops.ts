import { KubeClient } from "@kaji/client";
import type { Clock, Random, Transport } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { EventSink } from "@kaji/runtime";
import type { ControllerEnvironment, EventRecorder, Log } from "@kaji/runtime";
import { startControllers } from "./controllers/start-controllers.ts";
import { createStandardClass } from "./controllers/volumes/storage-classes.ts";
import type { NodeOptions } from "./kubelet/node-object.ts";
import type { PodScripts } from "./kubelet/pod-script.ts";
import type { SimulatedRuntime } from "./kubelet/simulated-runtime.ts";
import type { SimulatedDelays } from "./kubelet/simulated-runtime.ts";
import { startKubelet } from "./kubelet/start-kubelet.ts";
import { startScheduler } from "./scheduler/start-scheduler.ts";

/** What brings a cluster to life, beyond the API server. */
export interface ControlLoopOptions {
  /** The names of the controllers that run, as kube-controller-manager has them. Default: all. None gives what an API server alone does. */
  readonly controllers?: readonly string[] | undefined;
  /** Whether pods are given nodes. Default true. */
  readonly scheduler?: boolean | undefined;
  /** The nodes on which pods seem to run, or how many. Default 1. */
  readonly nodes?: number | readonly NodeOptions[] | undefined;
  /** How long things take on those nodes. Default: no time at all. */
  readonly delays?: SimulatedDelays | undefined;
}

/** What control loops work with. */
export interface ControlLoopEnvironment {
  /** The way to the API server, for a component that says its name. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What runs pods. */
  readonly runtime: SimulatedRuntime;
}

/** Controllers, scheduler and kubelets at work, until they are disposed of. */
export interface ControlLoops extends AsyncDisposable {
  /** What a test says that pods do. */
  readonly pods: PodScripts;
  /** Whether nothing is left to do before the next timer. */
  readonly isIdle: boolean;
}

/** Starts controllers, scheduler and kubelets in this process: clients of the API server like any other. */
export async function startControlLoops(environment: ControlLoopEnvironment, options: ControlLoopOptions = {}): Promise<ControlLoops> {
  const { clock, random, runtime } = environment;
  await using starting = new AsyncDisposableStack();
  const background = new AbortController();
  const running: Promise<void>[] = [];
  starting.defer(async () => {
    background.abort();
    await Promise.all(running);
  });
  // However many components look at a kind, it is mirrored once.
  const informers = new Informers({ source: clientOf("kube-controller-manager", environment).listerWatcher, clock, random });
  running.push(informers.run(background.signal));
  const component = (name: string): ControllerEnvironment => {
    const client = clientOf(name, environment);
    const log = environment.log.child({ component: name });
    const recorder = new EventSink({ client, clock, random, log, reporter: { controller: name, instance: name } });
    running.push(recorder.run(background.signal));
    return { client, informers, recorder, clock, random, log };
  };

  const { controllers: only } = options;
  const manager = component("kube-controller-manager");
  const recorderOf = (name: string): EventRecorder => component(name).recorder;
  const controllers = starting.use(startControllers({ ...manager, recorderOf, ...(only === undefined ? {} : { only }) }));
  if (only?.includes("persistentvolume-binder-controller") ?? true)
    await createStandardClass(clientOf("kube-controller-manager", environment));
  const nodes = nodesOf(options.nodes ?? 1);
  const kubelet = nodes.length > 0 ? starting.use(await startKubelet({ ...component("kubelet"), nodes, runtime })) : undefined;
  const scheduler = (options.scheduler ?? true) ? starting.use(await startScheduler(component("default-scheduler"))) : undefined;
  await controllers.synced;
  const all = starting.move();
  return {
    pods: runtime.pods,
    get isIdle() {
      const { queued, inFlight } = controllers.activity;
      return queued + inFlight === 0 && kubelet?.isIdle !== false && scheduler?.isIdle !== false;
    },
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
}

function clientOf(name: string, { transport, clock, random }: ControlLoopEnvironment): KubeClient {
  return new KubeClient(transport, { clock, random, userAgent: name, fieldManager: name, onWarning: () => {} });
}

function nodesOf(nodes: number | readonly NodeOptions[]): readonly NodeOptions[] {
  return typeof nodes === "number" ? Array.from({ length: nodes }, (_node, index) => ({ name: `node-${index + 1}` })) : nodes;
}
