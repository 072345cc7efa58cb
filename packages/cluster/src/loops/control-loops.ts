import type { ApiServer } from "@kaji/apiserver";
import { KubeClient } from "@kaji/client";
import { durationMs } from "@kaji/core";
import type { Clock, DurationLike, Random, Transport } from "@kaji/core";
import { Informers } from "@kaji/informer";
import { EventSink } from "@kaji/runtime";
import type { ControllerEnvironment, EventRecorder, Log } from "@kaji/runtime";
import { clusterNodes } from "./cluster-nodes.ts";
import { concernsKinds } from "./concerned-kinds.ts";
import type { ControlLoop } from "./control-loop.ts";
import { reporterOf } from "../controllers/builtin-controllers.ts";
import type { BuiltinController } from "../controllers/builtin-controllers.ts";
import { GarbageConcern } from "../controllers/garbage-collector/garbage-concern.ts";
import { chosenControllers } from "../controllers/chosen-controllers.ts";
import { createStandardClass } from "../controllers/volumes/storage-classes.ts";
import { renewLeases, renewalMs } from "../kubelet/node-heartbeats.ts";
import type { NodeOptions } from "../kubelet/node-object.ts";
import type { PodRuntime } from "../kubelet/pod-runtime.ts";
import type { SimulatedDelays } from "../kubelet/simulated-runtime.ts";
import { kubeletKinds, startKubelet } from "../kubelet/start-kubelet.ts";
import type { KubeletOptions } from "../kubelet/start-kubelet.ts";
import { LoopGroup } from "./loop-group.ts";
import type { DueTimes } from "./loop-group.ts";
import { schedulerKinds, startScheduler } from "../scheduler/start-scheduler.ts";
import { stopped } from "./stopped.ts";

/** What brings a cluster to life, beyond the API server. */
export interface ControlLoopOptions {
  /** The names of the controllers that run, as kube-controller-manager has them. Default: all. None gives what an API server alone does. */
  readonly controllers?: readonly string[] | undefined;
  /** Whether pods are given nodes. Default true. */
  readonly scheduler?: boolean | undefined;
  /** The nodes on which pods seem to run, or how many. Default 1. */
  readonly nodes?: number | readonly NodeOptions[] | undefined;
  /** For how long a heartbeat of those nodes is good; they send one four times as often. Default 40 s, as with kubelets. */
  readonly nodeLease?: DurationLike | undefined;
  /** How long things take on those nodes. Default: no time at all. */
  readonly delays?: SimulatedDelays | undefined;
}

/** What control loops work with. */
export interface ControlLoopEnvironment {
  readonly server: ApiServer;
  /** The way to the server, for a component that says its name. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What runs pods. */
  readonly runtime: PodRuntime;
  /** Is waited for after each loop that has started, for the sake of clients that are there already. Default: all start together. */
  readonly betweenStarts?: () => Promise<void>;
}

/** Controllers, scheduler and kubelets, until they are disposed of. */
export interface ControlLoops extends AsyncDisposable {
  /** Whether nothing is left to do before the next timer. */
  readonly isIdle: boolean;
  /** When each of them has something to do by itself. */
  readonly due: DueTimes;
}

/** That the state is that of a cluster at rest. */
export interface Rest {
  /** Since when, in the terms of `now()`. */
  readonly sinceMs: number;
  readonly due: DueTimes;
}

/**
 * Starts controllers, scheduler and kubelets in this process: clients of the API server like any other. Where the state is that of a cluster at rest, none starts
 * before it has something to do.
 */
export async function startControlLoops(
  environment: ControlLoopEnvironment,
  options: ControlLoopOptions,
  rest?: Rest,
): Promise<ControlLoops> {
  const { clock, server, log } = environment;
  await using starting = new AsyncDisposableStack();
  const components = starting.use(new Components(environment));
  const loops = starting.use(new LoopGroup(clock, environment.betweenStarts));
  const controllers = chosenControllers(options.controllers).map((controller) => controllerLoop(controller, components, server));
  const nodes = clusterNodes(options.nodes);
  const nodeLeaseMs = options.nodeLease === undefined ? undefined : durationMs(options.nodeLease);
  const started = { nodes, nodeLeaseMs, areRegistered: rest !== undefined };
  const kubelets = nodes.length > 0 ? [kubeletLoop(started, components, environment)] : [];
  const schedulers = (options.scheduler ?? true) ? [schedulerLoop(components, server)] : [];
  if (rest === undefined) {
    await loops.start(controllers);
    const provisions = options.controllers?.includes("persistentvolume-binder-controller") ?? true;
    if (provisions) await createStandardClass(components.clientOf("kube-controller-manager"));
    // Nodes first: a pod that is scheduled before there are any may be told that there are none.
    await loops.start(kubelets);
    await loops.start(schedulers);
  } else {
    // Nodes that have said nothing for long say so before anybody gives them up.
    if (clock.now() - rest.sinceMs >= renewalMs(nodeLeaseMs)) await renewLeases(nodes, server);
    loops.rest([...controllers, ...kubelets, ...schedulers], {
      storage: server.registry.storage,
      clock,
      due: rest.due,
      onFailure: ({ id }, error) => log.error({ err: error, component: id }, "a control loop does not start"),
    });
  }
  const all = starting.move();
  return {
    get isIdle() {
      return loops.isIdle;
    },
    get due() {
      return loops.due;
    },
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
}

/** What kaji's runtime tells of any controller, and a real cluster of none of its own: that a status is written often, as in any roll-out, and that reconciles keep failing. */
const ownReasons: ReadonlySet<string> = new Set(["WriteLoop", "ReconcileFailed"]);

/** So many pods may a set have before each look at all of them parses those again that have not changed. */
const parsedObjects = 2048;

/** Alone among the programs it speaks the newer of the APIs for events. */
const scheduler = "default-scheduler";

/** What the loops share. */
class Components implements AsyncDisposable {
  readonly #environment: ControlLoopEnvironment;
  readonly #end = new AbortController();
  readonly #running: Promise<void>[] = [];
  /** However many components look at a kind, it is mirrored once. */
  readonly #informers: Informers;

  constructor(environment: ControlLoopEnvironment) {
    const { clock, random } = environment;
    this.#environment = environment;
    const source = this.clientOf("kube-controller-manager").listerWatcher;
    // To freeze every state of every object is for the controllers of others: that ours change none, their own tests see to.
    this.#informers = new Informers({ source, clock, random, isInProcess: true, parsedObjects, freeze: false });
    this.#running.push(this.#informers.run(this.#end.signal));
  }

  /** What a controller of a program works with; its events are its own. */
  environmentOf(program: string, controller = program): ControllerEnvironment {
    const { clock, random } = this.#environment;
    const client = this.clientOf(program);
    const log = this.#environment.log.child({ component: controller });
    const reporter = { controller: reporterOf(controller), instance: reporterOf(controller) };
    const apiVersion = program === scheduler ? "events.k8s.io/v1" : "v1";
    const sink = new EventSink({ client: this.clientOf(controller), clock, random, log, reporter, apiVersion });
    this.#running.push(sink.run(this.#end.signal));
    const recorder: EventRecorder = { event: (about, event) => (ownReasons.has(event.reason) ? undefined : sink.event(about, event)) };
    return { client, informers: this.#informers, recorder, clock, random, log };
  }

  clientOf(name: string): KubeClient {
    const { transport, clock, random } = this.#environment;
    return new KubeClient(transport, { clock, random, userAgent: name, fieldManager: name, onWarning: () => {} });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort(stopped);
    await Promise.all(this.#running);
  }
}

function controllerLoop({ name, kinds, start }: BuiltinController, components: Components, server: ApiServer): ControlLoop {
  const concern = kinds === undefined ? new GarbageConcern(server) : undefined;
  return {
    id: `${name} ${kinds?.own.plural ?? "*"}`,
    isConcerned: kinds === undefined ? (change) => concern?.isConcerned(change) === true : concernsKinds(server, kinds),
    async start() {
      const controller = start(components.environmentOf("kube-controller-manager", name));
      const end = new AbortController();
      const ended = controller.run(end.signal);
      await Promise.race([controller.synced, ended]);
      return {
        get isIdle() {
          return controller.load.queued + controller.load.inFlight === 0;
        },
        get nextDueInMs() {
          // What an owner waits for need not be told from anything else: a collector begins with it at once.
          return concern?.isWaiting() === true ? 0 : controller.load.nextDueInMs;
        },
        async [Symbol.asyncDispose]() {
          end.abort(stopped);
          await ended;
        },
      };
    },
  };
}

function kubeletLoop(
  started: Pick<KubeletOptions, "nodes" | "nodeLeaseMs" | "areRegistered">,
  components: Components,
  { runtime, server }: ControlLoopEnvironment,
): ControlLoop {
  return {
    id: "kubelet",
    isConcerned: concernsKinds(server, kubeletKinds),
    onCause: (wake) => runtime.onChange(wake),
    start: () => startKubelet({ ...components.environmentOf("kubelet"), ...started, runtime }),
  };
}

function schedulerLoop(components: Components, server: ApiServer): ControlLoop {
  return {
    id: "default-scheduler",
    isConcerned: concernsKinds(server, schedulerKinds),
    start: () => startScheduler(components.environmentOf(scheduler)),
  };
}
