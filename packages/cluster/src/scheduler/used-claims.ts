import type { PlacedPod } from "./placed-pod.ts";

/** How many pods on nodes use each claim. */
export class UsedClaims {
  /** By namespace and claim. No count is zero. */
  readonly #users = new Map<string, number>();

  has(namespace: string, claim: string): boolean {
    return this.#users.has(`${namespace}/${claim}`);
  }

  /** Takes in that a pod comes or goes. */
  change({ namespace, claims }: PlacedPod, by: 1 | -1): void {
    for (const claim of claims) {
      const key = `${namespace}/${claim}`;
      const users = (this.#users.get(key) ?? 0) + by;
      if (users === 0) this.#users.delete(key);
      else this.#users.set(key, users);
    }
  }
}
