import assert from "node:assert/strict";
import { isReason } from "@kaji/core";
import type { KubeClient } from "@kaji/client";
import { ConfigMap } from "@kaji/types/core/v1";

/** Where the objects are that are written. */
export const namespace = "ledger";

/** What is under a name; undefined when nothing is. */
type Value = string | undefined;

/** What was written and acknowledged, and what may have been. */
export class Ledger {
  readonly #acknowledged = new Map<string, Value>();
  /** Writes under way: at most one for each name. */
  readonly #pending = new Map<string, Value>();
  #count = 0;
  #lastRevision = 0;

  /** How many writes have been acknowledged. */
  get count(): number {
    return this.#count;
  }

  /** Writes a name again and again, each time another value or none, until the server is gone. */
  async write(client: KubeClient, name: string, acknowledge: () => void): Promise<void> {
    for (let turn = 0; ; turn++) {
      const value = turn % 4 === 3 ? undefined : `${this.#count} ${"x".repeat(500)}`;
      this.#pending.set(name, value);
      const revision = await put(client, name, this.#acknowledged.get(name), value);
      this.#pending.delete(name);
      this.#acknowledged.set(name, value);
      this.#count++;
      // Answers may overtake each other, but none is of a time before the server last started.
      if (revision !== undefined) assert.ok(revision > this.#lastRevision, "revisions went back");
      acknowledge();
    }
  }

  /** Every acknowledged write is there; of those under way each is there as a whole, or not at all. */
  async check(client: KubeClient): Promise<void> {
    const { items, metadata } = await client.list(ConfigMap, { namespace });
    const present = new Map(items.map(({ metadata: { name }, data }) => [name, data?.["value"]]));
    for (const name of new Set([...this.#acknowledged.keys(), ...this.#pending.keys(), ...present.keys()])) {
      const allowed = [this.#acknowledged.get(name), ...(this.#pending.has(name) ? [this.#pending.get(name)] : [])];
      assert.ok(allowed.includes(present.get(name)), `${name} is ${present.get(name)}, not ${allowed.join(" or ")}`);
      this.#acknowledged.set(name, present.get(name));
    }
    this.#pending.clear();
    const revision = Number(metadata.resourceVersion);
    assert.ok(revision >= this.#lastRevision, "revisions went back");
    this.#lastRevision = revision;
  }
}

/** Makes the value under a name another; returns the revision at which it became that, where the server says so. */
async function put(client: KubeClient, name: string, before: Value, value: Value): Promise<number | undefined> {
  const address = `${namespace}/${name}`;
  if (value === undefined) {
    await client.delete(ConfigMap, address).catch((error: unknown) => {
      if (!isReason(error, "NotFound")) throw error;
    });
    return undefined;
  }
  const { metadata } =
    before === undefined
      ? await client.create(ConfigMap, { metadata: { name, namespace }, data: { value } })
      : await client.mergePatch(ConfigMap, address, { data: { value } });
  return Number(metadata.resourceVersion);
}
