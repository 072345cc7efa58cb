import type { ApiServer, ExtensionTargets, RequestRecord, VersionedStorage, WebhookTargets } from "@kaji/apiserver";
import type { KubeClient } from "@kaji/client";
import type { Clock, Random, Transport } from "@kaji/core";
import type { Log } from "@kaji/runtime";
import type { ControlLoopOptions } from "./loops/control-loops.ts";
import type { PodScripts } from "./kubelet/pod-script.ts";

/** What a cluster in this process is made of. */
export interface ClusterOptions extends ControlLoopOptions {
  /** Default: in memory, and gone with the cluster. */
  readonly storage?: VersionedStorage | undefined;
  /** Whether roles and bindings decide who may do what. Default true; the cluster's own client may do anything. */
  readonly rbac?: boolean | undefined;
  /** Where the webhooks are that configurations and definitions name. */
  readonly webhooks?: WebhookTargets | undefined;
  /** Servers of this process that APIServices name, by the origin of their service. */
  readonly extensions?: Pick<ExtensionTargets, "inProcess"> | undefined;
  /** Signs the tokens of service accounts (PEM). Default: there are none. */
  readonly tokenKey?: string | undefined;
  /** Is told of every request when it has been answered: who asked for what, and by which rule it was allowed or not. */
  readonly observe?: ((record: RequestRecord) => void) | undefined;
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
  /** A transport to the server as any user; requests on it count as something going on. */
  transport(...user: Parameters<ApiServer["transport"]>): Transport;
  /** Has `settled` wait for other work too, such as that of an operator under test, until it is disposed of. */
  include(isBusy: () => boolean): Disposable;
  /** Resolves when nothing is left to happen before the next timer. */
  settled(): Promise<void>;
  /** The whole state, as soon as nothing is left to happen: any number of clusters can be restored from it, whatever becomes of this one. */
  snapshot(): Promise<ClusterSnapshot>;
  /** Another cluster with the same state, as soon as nothing is left to happen. From then on neither knows of the other. */
  fork(options?: RestoreOptions): Promise<Cluster>;
}

/** What may be another than in the cluster whose state it is. Where time stands still unless it is moved, one that is to have a time of its own is given a clock. */
export type RestoreOptions = Pick<ClusterOptions, "clock" | "extensions" | "log" | "observe" | "random" | "webhooks">;

/** The whole state of a cluster at rest: objects with their history, what pods do, and what is due when. Nothing changes it. */
export interface ClusterSnapshot {
  /** When it was taken, by the clock of its cluster. */
  readonly atMs: number;
  /** A cluster with this state. Its control loops begin when there is something for them to do, so that it costs little until then. */
  restore(options?: RestoreOptions): Promise<Cluster>;
}
