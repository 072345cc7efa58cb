import type { KubeObject, Resource } from "@kaji/core";
import { startKubelet } from "../../kubelet/start-kubelet.ts";
import { SimulatedRuntime } from "../../kubelet/simulated-runtime.ts";
import { startRig } from "../../scheduler/testing/scheduler-rig.ts";
import type { SchedulerRig } from "../../scheduler/testing/scheduler-rig.ts";
import { Node } from "@kaji/types/core/v1";
import { startControllers } from "./start-controllers.ts";
import type { RunningControllers } from "./start-controllers.ts";

/** A whole cluster in memory, with nodes on which pods run, under a clock that stands still. */
export interface ControllerRig extends SchedulerRig {
  readonly runtime: SimulatedRuntime;
  readonly controllers: RunningControllers;
  /** All objects of a kind in `default`, by their names. */
  all<T extends KubeObject>(resource: Resource<T>): Promise<readonly T[]>;
  /** How many writes there have been. */
  revision(): Promise<number>;
}

/** What a rig has. */
export interface ControllerRigOptions {
  /** The names of its controllers. Default: all. */
  readonly only?: readonly string[];
  /** How many nodes run pods. Default 2. */
  readonly nodes?: number;
}

/** Starts a rig. */
export async function startControllerRig({ only, nodes = 2 }: ControllerRigOptions = {}): Promise<ControllerRig> {
  await using starting = new AsyncDisposableStack();
  const rig = starting.use(await startRig());
  const runtime = new SimulatedRuntime(rig.clock);
  const names = Array.from({ length: nodes }, (_node, index) => `node-${index}`);
  starting.use(await startKubelet({ ...rig, nodes: names.map((name) => ({ name })), runtime }));
  for (const name of names) await rig.client.mergePatch(Node, { name }, { spec: { taints: null } });
  const controllers = starting.use(startControllers({ ...rig, ...(only === undefined ? {} : { only }) }));
  await controllers.synced;
  const settle = async (): Promise<void> => {
    do await rig.settle();
    while (isBusy(controllers));
    await rig.settle();
  };
  await settle();
  const all = starting.move();
  return {
    ...rig,
    runtime,
    controllers,
    settle,
    all: async (resource) => {
      const namespace = resource.scope === "Namespaced" ? { namespace: "default" } : {};
      return (await rig.client.list(resource, namespace)).items;
    },
    revision: async () => Number((await rig.client.list(Node)).metadata.resourceVersion),
    [Symbol.asyncDispose]: () => all[Symbol.asyncDispose](),
  };
}

function isBusy({ load }: RunningControllers): boolean {
  return load.queued + load.inFlight > 0;
}
