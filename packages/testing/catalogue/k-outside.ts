import type { Random } from "@kaji/core";
import { defineController, every } from "@kaji/runtime";
import type { OutsideStage } from "@kaji/testing";
import { App, create, patch, remove } from "./app.ts";
import type { Pair } from "./pair.ts";

/** A cloud with load balancers, which makes one more whenever it is asked for one. */
class Balancers {
  /** The tag of each, by the id that it was given. */
  readonly tags: Map<string, string> = new Map();
  readonly #random: Random;

  constructor({ random }: OutsideStage) {
    this.#random = random;
  }

  async create(tag: string, _signal?: AbortSignal): Promise<string> {
    const id = this.#random.uuid();
    this.tags.set(id, tag);
    return id;
  }

  /** The one that has the tag, made only if there is none. */
  async ensure(tag: string, _signal?: AbortSignal): Promise<string> {
    return (await this.find(tag)) ?? this.create(tag);
  }

  async find(tag: string, _signal?: AbortSignal): Promise<string | undefined> {
    return this.tags.entries().find(([, each]) => each === tag)?.[0];
  }

  async remove(tag: string): Promise<void> {
    for (const [id, each] of this.tags) if (each === tag) this.tags.delete(id);
  }
}

const options: Pair["options"] = {
  external: (stage) => new Balancers(stage),
  ops: (user) => [create(user), patch(user, { size: 2 }), remove(user)],
};

/** A moment is taken for the truth. */
export const failedForGood: Pair = {
  id: "K1",
  title: "a call to a cloud that fails once is written down as a failure, and an App that has failed is not looked after any more",
  source: "k-orc/openstack-resource-controller#879 (same shape: kubernetes-sigs/cluster-api-provider-digitalocean#214)",
  oracles: ["end state"],
  options,
  buggy: (cloud: Balancers) => [balancing(cloud, "for good")],
  fixed: (cloud: Balancers) => [balancing(cloud, "for now")],
};

function balancing(cloud: Balancers, fails: "for good" | "for now") {
  return defineController(App, {
    async reconcile({ metadata, status }, { setStatus }) {
      if (status?.phase === "Failed") return;
      try {
        const id = await cloud.ensure(metadata.name);
        await setStatus({ id, phase: "Balanced" });
      } catch (error) {
        if (fails === "for now") throw error;
        await setStatus({ phase: "Failed" });
      }
    },
    async finalize({ metadata }) {
      await cloud.remove(metadata.name);
    },
  });
}

/** Not to know is taken for knowing that there is none. */
export const unknownIsNone: Pair = {
  id: "K2",
  title: "a look for the load balancer that fails is taken to mean that there is none, and another one is made",
  source: "oracle/oci-native-ingress-controller#20",
  oracles: ["end state"],
  options,
  buggy: (cloud: Balancers) => [finding(cloud, async (tag) => cloud.find(tag).catch(() => undefined))],
  fixed: (cloud: Balancers) => [finding(cloud, async (tag) => cloud.find(tag))],
};

function finding(cloud: Balancers, find: (tag: string) => Promise<string | undefined>) {
  return defineController(App, {
    async reconcile({ metadata }, { setStatus }) {
      await setStatus({ id: (await find(metadata.name)) ?? (await cloud.create(metadata.name)) });
    },
    async finalize({ metadata }) {
      await cloud.remove(metadata.name);
    },
  });
}

/** What was made once is believed to be there. */
export const neverLookedAtAgain: Pair = {
  id: "K3",
  title: "what has an id in the status is not looked at again, and nobody notices that it was deleted in the cloud",
  source: "k-orc/openstack-resource-controller#655",
  oracles: ["end state"],
  options: { ...options, drift: { "somebody deletes the load balancer in the cloud": ({ tags }: Balancers) => tags.clear() } },
  buggy: (cloud: Balancers) => [looking(cloud, "Once")],
  fixed: (cloud: Balancers) => [looking(cloud, "Again")],
};

function looking(cloud: Balancers, looks: "Once" | "Again") {
  return defineController(App, {
    sources: [every("10m")],
    async reconcile({ metadata, status }, { setStatus }) {
      if (looks === "Once" && status?.id !== undefined) return;
      await setStatus({ id: await cloud.ensure(metadata.name) });
    },
    async finalize({ metadata }) {
      await cloud.remove(metadata.name);
    },
  });
}

/** Whoever gave up does not know what will be done yet. */
export const askedTwice: Pair = {
  id: "K4",
  title: "a call that takes long is given up and made again, without anything by which the cloud could know that both are one",
  source: "generic (why clouds take a client token)",
  oracles: ["end state"],
  options: { ...options, ops: (user) => [create(user), patch(user, { size: 2 })] },
  buggy: (cloud: Balancers) => [hasty(cloud, async (tag, signal) => (await cloud.find(tag, signal)) ?? cloud.create(tag, signal))],
  fixed: (cloud: Balancers) => [hasty(cloud, async (tag, signal) => cloud.ensure(tag, signal))],
};

function hasty(cloud: Balancers, make: (tag: string, signal: AbortSignal) => Promise<string>) {
  return defineController(App, {
    timeout: "10s",
    async reconcile({ metadata }, { setStatus, signal }) {
      await setStatus({ id: await make(metadata.name, signal) });
    },
    async finalize({ metadata }) {
      await cloud.remove(metadata.name);
    },
  });
}
