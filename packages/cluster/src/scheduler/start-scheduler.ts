import type { KubeObject } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";
import type { Delta, Informer } from "@kaji/informer";
import type { ControllerEnvironment } from "@kaji/runtime";
import { Namespace, Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kaji/types/core/v1";
import { StorageClass } from "@kaji/types/storage/v1";
import type { ConcernedKinds } from "../loops/concerned-kinds.ts";
import { stopped } from "../loops/stopped.ts";
import { ClusterMirror } from "./cluster-mirror.ts";
import { PodWrites } from "./pod-writes.ts";
import { Scheduler } from "./scheduler.ts";
import { VolumePreparation } from "./volume-preparation.ts";

/** The kinds whose changes give a scheduler something to do: pods, and what they may wait for. */
export const schedulerKinds: ConcernedKinds = {
  own: Pod,
  others: [Namespace, Node, PersistentVolume, PersistentVolumeClaim, StorageClass],
};

/** What a scheduler takes from outside. */
export interface SchedulerOptions extends Pick<ControllerEnvironment, "client" | "informers" | "recorder" | "log" | "clock" | "random"> {
  /** Whose pods it schedules. Default `default-scheduler`. */
  readonly name?: string;
}

/** A scheduler at work, until it is disposed of. */
export interface RunningScheduler extends AsyncDisposable {
  /** Whether nothing is left to do before something changes or a failure is tried again. */
  readonly isIdle: boolean;
  /** How long until a failure is tried again; undefined when there is none. */
  readonly nextDueInMs: number | undefined;
}

/** Starts a scheduler: it gives each pod of its name the node that suits it best, until it is disposed of. */
export async function startScheduler(options: SchedulerOptions): Promise<RunningScheduler> {
  const { client, informers, clock, name = "default-scheduler" } = options;
  await using starting = new AsyncDisposableStack();
  const onVolumeChange = (): void => {
    volumes.claimsChanged();
    scheduler.wake("VolumeChanged");
  };
  const mirror = starting.use(new ClusterMirror(informers, onVolumeChange));
  await mirror.synced();
  const writes = new PodWrites(client, clock);
  const volumes = new VolumePreparation(mirror, writes, clock);
  const scheduler = new Scheduler({ ...options, name, reads: mirror, writes, volumes });

  const follow = <T extends KubeObject>(informer: Informer<T>, handler: (delta: Delta<DeepReadonly<T>>) => void): Promise<void> =>
    starting.use(informer.subscribe(handler)).synced;
  // Nodes first: a pod that is scheduled before all of them are known may be told that there are none.
  await follow(mirror.nodes, (delta) => (delta.type === "Deleted" ? scheduler.removeNode(delta.key) : scheduler.observeNode(delta.object)));
  await Promise.all([
    follow(mirror.pods, (delta) => observePod(scheduler, delta)),
    follow(mirror.namespaces, () => scheduler.wake("NamespaceChanged")),
  ]);

  const end = new AbortController();
  const running = scheduler.run(end.signal);
  starting.defer(async () => {
    end.abort(stopped);
    await running;
  });
  const all = starting.move();
  return {
    get isIdle() {
      return scheduler.isIdle;
    },
    get nextDueInMs() {
      return scheduler.nextDueInMs;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function observePod(scheduler: Scheduler, delta: Delta<DeepReadonly<Pod>>): void {
  const { key, object } = delta;
  if (delta.type === "Deleted") return scheduler.removePod(key, uidOf(object));
  // A pod may have gone and come again under its name while we were not looking.
  const previous = delta.type === "Updated" || delta.type === "Replaced" ? uidOf(delta.previous) : uidOf(object);
  if (previous !== uidOf(object)) scheduler.removePod(key, previous);
  scheduler.observePod(object);
}

function uidOf({ metadata }: DeepReadonly<KubeObject>): string {
  return metadata.uid ?? "";
}
