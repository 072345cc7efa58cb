import { ApiError, backoffMs, isReason, objectKey, sleepUnlessAborted } from "@kaji/core";
import type { Clock, Random } from "@kaji/core";
import type { KubeClient, ServedResource } from "@kaji/client";
import { apiGroups } from "@kaji/types/tables";
import type { ClusterModel } from "../model/cluster-model.ts";
import { kindId } from "../model/kind-table.ts";
import type { KindTable } from "../model/kind-table.ts";
import { failureText } from "./failure-text.ts";
import { followKind } from "./follow-kind.ts";
import type { KindNews } from "./follow-kind.ts";
import { createTurns } from "./turns.ts";

/** What watching a cluster needs. */
export interface ClusterWatchOptions {
  readonly client: KubeClient;
  /** How to call the cluster in a sentence. */
  readonly cluster: string;
  readonly model: ClusterModel;
  readonly clock: Clock;
  readonly random: Random;
}

/** Lists at once: enough to be quick, and nothing that an API server would notice. */
const listsAtOnce = 6;

/** Kinds are asked for again after this. */
const discoverMs = 60_000;
/** After a definition has changed they are asked for so much later, again and again: a real API server takes a while to serve what is defined. */
const settleMs = [250, 750, 1500, 3000, 6000] as const;
const retry = { baseMs: 500, maxMs: 15_000 };

/** The same objects by another name, and what is superseded by EndpointSlices. */
const twins: ReadonlySet<string> = new Set(["events.events.k8s.io", "endpoints"]);

/** Where kinds come from. The name of a CustomResourceDefinition is the id of the kind. */
const customDefinitions = "customresourcedefinitions.apiextensions.k8s.io";
const definitions: ReadonlySet<string> = new Set([customDefinitions, "apiservices.apiregistration.k8s.io"]);

/** Keeps a model up to date with a cluster: which kinds there are, and the objects of each. */
export class ClusterWatch {
  readonly #options: ClusterWatchOptions;
  readonly #turn = createTurns(listsAtOnce);
  /** What ends the following of each kind. */
  readonly #followed = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();
  /** The pauses before kinds are asked for in the near future: a kind may have come or gone. */
  #pausesMs: readonly number[] = [];
  #endPause = (): void => {};
  /** How often the cluster has said which kinds it has. */
  #answers = 0;
  /** The kinds of which no answer came when they were asked for last, each with how often the cluster had answered until then. */
  readonly #unanswered = new Map<string, number>();
  /** Aborted when the cluster answers again. */
  #isBack = new AbortController();

  constructor(options: ClusterWatchOptions) {
    this.#options = options;
  }

  /** Watches until the signal is aborted; no failure of the cluster ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const { model, clock, random } = this.#options;
    for (let failures = 0; !signal.aborted;) {
      try {
        this.#follow(await this.#kinds(signal), signal);
        model.endDiscovery();
        this.#answers++;
        if (failures > 0) this.#retryAll();
        failures = 0;
      } catch (error) {
        if (!signal.aborted) model.setProblem(undefined, this.#explained(error));
        failures++;
      }
      await this.#pause(clock, failures === 0 ? discoverMs : backoffMs(failures - 1, retry, random), signal);
    }
    await Promise.all(this.#followed.values().map(({ done }) => done));
  }

  /** All kinds that can be watched, each in the version the server prefers. */
  async #kinds(signal: AbortSignal): Promise<ReadonlyMap<string, ServedResource>> {
    const { resources } = await this.#options.client.discovery.all(signal);
    const kinds = new Map<string, ServedResource>();
    for (const resource of resources) {
      const id = kindId(resource);
      if (resource.verbs.includes("list") && resource.verbs.includes("watch") && !twins.has(id) && !kinds.has(id)) kinds.set(id, resource);
    }
    return kinds;
  }

  #follow(kinds: ReadonlyMap<string, ServedResource>, signal: AbortSignal): void {
    const { model } = this.#options;
    for (const [id, { stop }] of this.#followed) {
      if (kinds.has(id) && kinds.get(id)?.version === model.kind(id)?.resource.version) continue;
      stop.abort();
      this.#followed.delete(id);
      this.#unanswered.delete(id);
      model.removeKind(id);
    }
    const isCustom = ({ group }: ServedResource): boolean => !builtin.has(group);
    const added = [...kinds.values()].filter((resource) => !this.#followed.has(kindId(resource)));
    for (const resource of added.sort((left, right) => Number(isCustom(right)) - Number(isCustom(left)))) {
      const kind = model.addKind(resource, isCustom(resource));
      const stop = new AbortController();
      this.#followed.set(kind.id, { stop, done: this.#mirror(kind, AbortSignal.any([signal, stop.signal])) });
    }
  }

  async #mirror(kind: KindTable, signal: AbortSignal): Promise<void> {
    const { client, clock, random, model } = this.#options;
    const pause = (delayMs: number): Promise<void> => sleepUnlessAborted(clock, delayMs, AbortSignal.any([signal, this.#isBack.signal]));
    const options = { client, clock, random, objects: model.limits.objectsPerKind, turn: this.#turn, pause, signal };
    const present = new Set<string>();
    try {
      for await (const news of followKind(kind.resource, options)) if (!signal.aborted) this.#take(kind, news, present);
    } catch (error) {
      // What an extension server sends may be anything; the other kinds must not suffer from it.
      model.setProblem(kind, this.#explained(error));
    }
  }

  #take(kind: KindTable, news: KindNews, present: Set<string>): void {
    const { model } = this.#options;
    if (news.type !== "Failed") this.#unanswered.delete(kind.id);
    switch (news.type) {
      case "Page":
        if (news.isFirst) present.clear();
        // It can be reached again.
        if (news.isFirst && model.problem !== undefined) this.#wake();
        for (const seen of news.page.seen) {
          model.put(kind, seen);
          present.add(objectKey(seen.object.metadata));
          // Defined after kinds were asked for.
          if (kind.id === customDefinitions && !this.#followed.has(seen.object.metadata.name)) this.#wake();
        }
        if (news.isLast) model.endList(kind, { present, hidden: news.page.next === "" ? 0 : news.page.remaining, columns: news.columns });
        return model.setProblem(kind, undefined);
      case "Event":
        this.#takeEvent(kind, news.event);
        return model.setProblem(kind, undefined);
      case "Failed":
        // The definition is gone: so will be the kind.
        if (isReason(news.error, "NotFound")) this.#wake();
        if (this.#isOfKindAlone(kind, news.error)) model.setProblem(kind, this.#explained(news.error));
    }
  }

  /** That no answer came is the cluster's failure, which is told once and not of every kind, unless the cluster has answered since that was so last. */
  #isOfKindAlone({ id }: KindTable, error: unknown): boolean {
    if (error instanceof ApiError || (this.#unanswered.get(id) ?? this.#answers) < this.#answers) return true;
    this.#unanswered.set(id, this.#answers);
    if (this.#options.model.problem === undefined) this.#wake();
    return false;
  }

  #retryAll(): void {
    this.#isBack.abort();
    this.#isBack = new AbortController();
  }

  #takeEvent(kind: KindTable, event: Extract<KindNews, { type: "Event" }>["event"]): void {
    const { model } = this.#options;
    if (event.type === "BOOKMARK") return;
    if (definitions.has(kind.id)) this.#wake();
    const isKept = kind.entries.has(objectKey(event.seen.object.metadata));
    const isFull = kind.entries.size >= model.limits.objectsPerKind;
    if (event.type === "DELETED") {
      if (!isKept) model.hide(kind, -1);
      return model.remove(kind, event.seen);
    }
    // One that is new where there is no room is one more that is only counted; one that is known to others is one less, once there is room.
    if (!isKept && isFull === (event.type === "ADDED")) model.hide(kind, isFull ? 1 : -1);
    model.put(kind, event.seen);
  }

  #explained(error: unknown): string {
    return isReason(error, "Forbidden") ? "you may not list and watch this kind" : failureText(error, this.#options.cluster);
  }

  #wake(): void {
    this.#pausesMs = settleMs;
    this.#endPause();
  }

  /** Waits for so long, or less if a kind may have come or gone. */
  async #pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
    if (this.#pausesMs.length === 0) {
      const woken = new AbortController();
      this.#endPause = () => woken.abort();
      await sleepUnlessAborted(clock, delayMs, AbortSignal.any([signal, woken.signal]));
    }
    const [soonMs, ...later] = this.#pausesMs;
    this.#pausesMs = later;
    if (soonMs !== undefined) await sleepUnlessAborted(clock, soonMs, signal);
  }
}

const builtin: ReadonlySet<string> = new Set(apiGroups().map(({ group }) => group));
