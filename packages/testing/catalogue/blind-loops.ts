import { isReason, objectKey, setControllerReference } from "@kaji/core";
import type { ObjectKey } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import type { Loop, RunningLoop } from "@kaji/testing";
import { ConfigMap } from "@kaji/types/core/v1";
import { App, create, patch, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

/** After a break it knows everything and tells nobody. */
export const silentAfterBreak: Pair = {
  id: "J1",
  title: "a watch by hand that broke lists anew, and hands nothing of what it finds on",
  source: "kubernetes-client/javascript#795",
  oracles: ["end state", "convergence"],
  options: {
    resources: [App],
    ops: (user) => [create(user, { size: 1 }), patch(user, { size: 2 }), remove(user)],
    faults: { only: ["Lag", "Disconnect"] },
  },
  buggy: () => [],
  fixed: () => [],
  loops: { buggy: [byHand({ handsOn: "Events", waitsFor: "Both" })], fixed: [byHand({ handsOn: "EventsAndLists", waitsFor: "Both" })] },
};

/** It begins before it knows what there is. */
export const beforeSynced: Pair = {
  id: "J4",
  title: "a controller by hand begins to work when its own objects are listed, and counts children that are not listed yet",
  source: "kubernetes#10030",
  oracles: ["over-create", "end state"],
  // Whoever makes up names does not find again what was made when the answer is lost: that is another bug.
  options: {
    resources: [App],
    ops: (user) => [create(user, { size: 2 }), patch(user, { notes: { a: "b" } })],
    faults: { only: ["Crash", "Restart"] },
  },
  buggy: () => [],
  fixed: () => [],
  loops: {
    buggy: [byHand({ handsOn: "EventsAndLists", waitsFor: "Apps" })],
    fixed: [byHand({ handsOn: "EventsAndLists", waitsFor: "Both" })],
  },
};

interface Habits {
  readonly handsOn: "Events" | "EventsAndLists";
  readonly waitsFor: "Apps" | "Both";
}

/** A controller on lists and watches alone, which keeps as many ConfigMaps as each App wants. */
function byHand(habits: Habits): Loop {
  return { name: "by hand", resources: [App, ConfigMap], start: ({ client, clock }) => new ByHand(client, clock, habits) };
}

class ByHand implements RunningLoop {
  readonly #client: KubeClient;
  readonly #clock: { sleep(delayMs: number, signal?: AbortSignal): Promise<void> };
  readonly #habits: Habits;
  readonly #apps = new Map<ObjectKey, App>();
  readonly #children = new Map<ObjectKey, ConfigMap>();
  readonly #synced = Promise.withResolvers<void>();
  #work: Promise<void> = Promise.resolve();
  #left = 0;

  constructor(client: KubeClient, clock: { sleep(delayMs: number, signal?: AbortSignal): Promise<void> }, habits: Habits) {
    this.#client = client;
    this.#clock = clock;
    this.#habits = habits;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  get load(): RunningLoop["load"] {
    return { queued: this.#left, inFlight: 0, nextDueInMs: undefined };
  }

  async run(signal: AbortSignal): Promise<void> {
    const children = Promise.withResolvers<void>();
    const apps = Promise.withResolvers<void>();
    const isReady = this.#habits.waitsFor === "Both" ? Promise.all([apps.promise, children.promise]) : apps.promise;
    this.#work = this.#beginAfter(isReady);
    await Promise.all([this.#follow(App, this.#apps, apps, signal), this.#follow(ConfigMap, this.#children, children, signal)]);
  }

  async #beginAfter(isReady: Promise<unknown>): Promise<void> {
    await isReady;
    this.#synced.resolve();
  }

  async #follow<T extends App | ConfigMap>(
    kind: Parameters<KubeClient["list"]>[0],
    known: Map<ObjectKey, T>,
    listed: { readonly resolve: () => void },
    signal: AbortSignal,
  ): Promise<void> {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        const { items, metadata } = await this.#client.list(kind, { signal });
        known.clear();
        for (const item of items) known.set(objectKey(item.metadata), item as T);
        listed.resolve();
        if (isFirst || this.#habits.handsOn === "EventsAndLists") this.#look();
        const resourceVersion = metadata.resourceVersion ?? "";
        for await (const event of this.#client.watch(kind, { resourceVersion, signal })) {
          if (event.type === "ADDED" || event.type === "MODIFIED") known.set(objectKey(event.object.metadata), event.object as T);
          if (event.type === "DELETED") known.delete(objectKey(event.object.metadata));
          this.#look();
        }
      } catch {
        await this.#clock.sleep(1000, signal);
      }
    }
  }

  /** One look after the other. */
  #look(): void {
    this.#left++;
    this.#work = this.#work.then(() => this.#untilDone()).finally(() => this.#left--);
  }

  async #untilDone(): Promise<void> {
    for (;;) {
      try {
        return await this.#reconcileAll();
      } catch {
        await this.#clock.sleep(1000);
      }
    }
  }

  async #reconcileAll(): Promise<void> {
    for (const app of this.#apps.values()) {
      const own = [...this.#children.values()].filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === app.metadata.uid);
      for (let count = own.length; count < app.spec.size; count++) {
        const metadata = { generateName: "child-", namespace: "default" };
        const child = await this.#client.create(ConfigMap, setControllerReference(app, { metadata }));
        this.#children.set(objectKey(child.metadata), child);
      }
      for (const child of own.slice(app.spec.size)) {
        await this.#client.delete(ConfigMap, child.metadata).catch((error: unknown) => {
          if (!isReason(error, "NotFound")) throw error;
        });
        this.#children.delete(objectKey(child.metadata));
      }
    }
  }
}
