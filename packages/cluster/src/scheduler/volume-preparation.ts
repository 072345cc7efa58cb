import type { Clock } from "@kaji/core";
import type { ClusterReads } from "./cluster-state.ts";
import { delayedClaims, isBound } from "./filters/volume-binding.ts";
import type { PodInfo } from "./pod-info.ts";
import type { PodWrites } from "./pod-writes.ts";

const patienceMs = 600_000;

/** Has the volumes of a pod bound before the pod is bound to its node. */
export class VolumePreparation implements Disposable {
  readonly #reads: ClusterReads;
  readonly #writes: Pick<PodWrites, "selectNode">;
  readonly #clock: Clock;
  /** The pods in `prepare` that wait for their claims to be bound. */
  readonly #waiting = new Set<{ readonly look: () => void; readonly giveUp: (reason: Error) => void }>();

  constructor(reads: ClusterReads, writes: Pick<PodWrites, "selectNode">, clock: Clock) {
    this.#reads = reads;
    this.#writes = writes;
    this.#clock = clock;
  }

  /** How many pods wait for their volumes. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Tells the provisioner the node of claims that wait for one, and waits until they are bound. */
  async prepare(pod: PodInfo, node: string): Promise<void> {
    const claims = delayedClaims(pod, { reads: this.#reads });
    if (claims.length === 0) return;
    for (const claim of claims) await this.#writes.selectNode(claim, node);
    const isReady = (): boolean =>
      claims.every(({ metadata }) => {
        const claim = this.#reads.claim(pod.namespace, metadata.name);
        return claim !== undefined && isBound(claim);
      });
    if (!isReady()) await this.#until(isReady, claims.map(({ metadata }) => metadata.name).join(", "));
  }

  /** Takes in that a claim changed. */
  claimsChanged(): void {
    for (const { look } of [...this.#waiting]) look();
  }

  [Symbol.dispose](): void {
    for (const { giveUp } of this.#waiting) giveUp(new Error("binding volumes: the scheduler ends"));
  }

  async #until(isReady: () => boolean, names: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    using _patience = this.#clock.timer(patienceMs, () =>
      reject(new Error("binding volumes: context deadline exceeded", { cause: `${names} not bound within ${patienceMs / 60_000} min` })),
    );
    const waiter = { look: () => (isReady() ? resolve() : undefined), giveUp: reject };
    this.#waiting.add(waiter);
    try {
      await promise;
    } finally {
      this.#waiting.delete(waiter);
    }
  }
}
