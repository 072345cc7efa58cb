import { createClient, loadConfig } from "@kaji/client";
import type { ConnectOptions, KubeClient } from "@kaji/client";
import { formatKind } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { DeliveredDelta, WatchedKind } from "@kaji/informer";
import type { SourceContext } from "../declare/source.ts";
import { Outages } from "../log/outages.ts";
import { OtherCluster } from "./other-cluster.ts";

/** What a client of another cluster is made with. */
export type ClusterClientOptions = Required<Pick<ConnectOptions, "clock" | "random">> & {
  /** What its requests pass on their way. */
  readonly outward: SourceContext<KubeObject>["outward"];
};

/** What there is to say about other clusters. */
export interface OtherClustersOptions {
  /** Whose fields what is applied there are. Default `kaji`. */
  readonly fieldManager?: string | undefined;
  /** Which of their objects are mirrored, such as those with a label that the operator gives. Default: all. */
  readonly labelSelector?: string | undefined;
  /** Makes the client of a cluster; for tests, whose clusters have no kubeconfig. Default: by what the kubeconfig says, which may name neither files nor programs. */
  readonly connect?: ((name: string, kubeconfig: string, options: ClusterClientOptions) => Promise<KubeClient>) | undefined;
}

/** Is told what happens to an object in another cluster. */
export type ClusterListener = (delta: DeliveredDelta<KubeObject>, cluster: OtherCluster) => void;

/** What is lent to the clusters by a controller that works with them. */
export interface ClustersHost extends Pick<SourceContext<KubeObject>, "clock" | "random" | "log" | "outward"> {
  readonly onChange: ClusterListener;
}

interface Connected {
  readonly kubeconfig: string;
  readonly cluster: Promise<OtherCluster>;
  readonly end: AbortController;
}

const words = {
  begun: "list or watch in a cluster failed; will retry",
  going: "list or watch in a cluster still fails; will retry",
  over: "list and watch in a cluster are answered again",
};

/** Other clusters that come and go while the operator runs: each is connected when a reconcile first needs it, anew when its kubeconfig is another, and let go when it is no longer named. */
export class OtherClusters {
  readonly #options: OtherClustersOptions;
  readonly #connected = new Map<string, Connected>();
  readonly #hosts = new Set<ClustersHost>();
  /** The last of them to go: a reconcile may be under way when its controller is to end, and need another cluster. */
  #lastHost: ClustersHost | undefined;

  constructor(options: OtherClustersOptions = {}) {
    this.#options = options;
  }

  /** The names of those that are connected. */
  get names(): readonly string[] {
    return [...this.#connected.keys()];
  }

  /** The cluster of that name, by this kubeconfig. Nothing is sent for that: whether it answers is seen by what is asked of it. */
  async connect(name: string, kubeconfig: string): Promise<OtherCluster> {
    const known = this.#connected.get(name);
    if (known?.kubeconfig === kubeconfig) return known.cluster;
    const [host = this.#lastHost] = this.#hosts;
    if (host === undefined)
      throw new Error("the clusters are run by no source: add fromClusters(clusters, …) to the sources of this controller");
    this.#letGo(name);
    const end = new AbortController();
    if (this.#hosts.size === 0) end.abort(noLongerConnected(name));
    const cluster = this.#open(name, kubeconfig, host, end.signal);
    this.#connected.set(name, { kubeconfig, cluster, end });
    // A kubeconfig that is wrong is read anew by whoever asks next.
    cluster.catch(() => this.#connected.get(name)?.end === end && this.#connected.delete(name));
    return cluster;
  }

  /** Lets go of all that are not among these: their mirrors end, and their connections. */
  keepOnly(names: { has(name: string): boolean }): void {
    for (const name of this.#connected.keys()) if (!names.has(name)) this.#letGo(name);
  }

  /** Lends them what they need, until it is disposed of. With the last host the mirrors end; a reconcile that is under way goes on without them. */
  host(host: ClustersHost): Disposable {
    if (this.#hosts.size === 0) this.keepOnly(new Set());
    this.#hosts.add(host);
    return {
      [Symbol.dispose]: () => {
        this.#hosts.delete(host);
        if (this.#hosts.size > 0) return;
        this.#lastHost = host;
        for (const [name, { end }] of this.#connected) end.abort(noLongerConnected(name));
        this.#connected.clear();
      },
    };
  }

  #letGo(name: string): void {
    const known = this.#connected.get(name);
    if (known === undefined) return;
    this.#connected.delete(name);
    known.end.abort(noLongerConnected(name));
    void known.cluster.then(
      ({ client }) => client[Symbol.asyncDispose](),
      () => {},
    );
  }

  async #open(name: string, kubeconfig: string, { clock, random, log, outward }: ClustersHost, signal: AbortSignal): Promise<OtherCluster> {
    const { connect = byKubeconfig, fieldManager = "kaji", labelSelector } = this.#options;
    const client = await connect(name, kubeconfig, { clock, random, outward });
    const outages = new Outages<string>(clock, words);
    const about = ({ resource }: WatchedKind): { readonly cluster: string; readonly watched: string } => ({
      cluster: name,
      watched: formatKind(resource),
    });
    const cluster: OtherCluster = new OtherCluster(name, client, {
      clock,
      random,
      fieldManager,
      labelSelector,
      onChange: (delta) => this.#hosts.forEach(({ onChange }) => onChange(delta, cluster)),
      onFailure(failure) {
        const { type, error } = failure;
        if (type !== "Server") return log.error({ err: error, of: type, cluster: name }, "informer callback threw");
        const told = about(failure.watched);
        outages.failed(told.watched, log, error, told);
      },
      onRecovery(watched) {
        const told = about(watched);
        outages.answered(told.watched, log, told);
      },
    });
    void cluster.run(signal).catch((error: unknown) => log.error({ err: error, cluster: name }, "mirrors of a cluster failed"));
    return cluster;
  }
}

function noLongerConnected(name: string): Error {
  return new Error(`cluster ${name} is no longer connected`);
}

async function byKubeconfig(name: string, text: string, { clock, random, outward }: ClusterClientOptions): Promise<KubeClient> {
  const { connection } = await loadConfig({ kubeconfig: { text, name: `kubeconfig of ${name}` } });
  return createClient({ connection, clock, random, wrap: (transport) => outward(transport, connection.server) });
}
