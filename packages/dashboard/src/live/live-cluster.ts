import type { Clock, Random } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import { ClusterModel } from "../model/cluster-model.ts";
import type { Limits } from "../model/limits.ts";
import type { LiveMessage, LogMessage } from "../page/live-message.ts";
import { ClusterWatch } from "../watch/cluster-watch.ts";
import { liveStream } from "./live-stream.ts";
import type { Choice } from "./live-view.ts";
import { podLog } from "./pod-log.ts";
import type { LogChoice } from "./pod-log.ts";

/** What is needed to look at a cluster. */
export interface LiveClusterOptions {
  readonly client: KubeClient;
  readonly cluster: string;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly random: Random;
}

/** A cluster that is watched, from when this is made until it is disposed of, and what pages are told of it. */
export class LiveCluster implements AsyncDisposable {
  readonly #options: LiveClusterOptions;
  readonly #model: ClusterModel;
  readonly #end = new AbortController();
  readonly #watching: Promise<void>;

  constructor(options: LiveClusterOptions) {
    this.#options = options;
    this.#model = new ClusterModel(options.limits, options.clock);
    this.#watching = new ClusterWatch({ ...options, model: this.#model }).run(this.#end.signal);
  }

  /** What a page is told, until the signal is aborted. */
  stream(choice: Choice, signal: AbortSignal): AsyncIterable<readonly LiveMessage[]> {
    return liveStream(choice, { ...this.#options, model: this.#model, signal: AbortSignal.any([signal, this.#end.signal]) });
  }

  /** The log of a container, until it ends or the signal is aborted. */
  log(choice: LogChoice, signal: AbortSignal): AsyncIterable<readonly LogMessage[]> {
    return podLog(choice, { ...this.#options, signal: AbortSignal.any([signal, this.#end.signal]) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#watching;
  }
}
