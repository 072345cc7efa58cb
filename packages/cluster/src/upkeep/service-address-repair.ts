import type { ApiServer } from "@kaji/apiserver";
import { parseTime, unlessGone } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { ServiceHoldings } from "../kinds/core/held-by-services.ts";
import { ServiceAddresses, addressesPath, isManaged } from "../kinds/core/service-addresses.ts";
import { afterRefusal } from "./after-refusal.ts";
import { KeyedWorker } from "./keyed-worker.ts";
import type { LocalApi } from "./local-api.ts";

const prefix = "/registry/ipaddresses/";

/** How old the IPAddress of a service is that is still on its way, at most. */
const longestWriteMs = 60_000;

/**
 * Makes the IPAddress of every service that has lost it, and deletes those of services that never came to be: each write of a service keeps both, but a crash
 * may come between them, users delete what they like, and data folders may be older than IPAddress objects.
 */
export class ServiceAddressRepair implements Disposable {
  readonly #api: LocalApi;
  readonly #clock: ApiServer["clock"];
  readonly #holdings: ServiceHoldings;
  readonly #addresses: KeyedWorker;
  readonly #subscription: Disposable;

  /** Where all is at rest, only what is deleted from now on is looked at. */
  constructor({ clock, registry: { storage } }: ApiServer, api: LocalApi, { isAtRest = false }: { readonly isAtRest?: boolean } = {}) {
    this.#api = api;
    this.#clock = clock;
    this.#holdings = new ServiceHoldings(storage);
    this.#addresses = new KeyedWorker(clock, { log: api.log, kind: "IPAddress" }, (ip) => this.#reconcile(ip));
    if (!isAtRest) {
      const present = new Set(storage.list(prefix).entries.map(({ key }) => key.slice(prefix.length)));
      for (const ip of new Set(this.#holdings.ips()).symmetricDifference(present)) this.#addresses.add(ip);
    }
    this.#subscription = storage.subscribe(prefix, storage.currentRevision, ({ key, type }) => {
      if (type === "Delete") this.#addresses.add(key.slice(prefix.length));
    });
  }

  /** Resolves when every service has its addresses, as far as this can make it so. */
  settled(): Promise<void> {
    return this.#addresses.settled();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#addresses[Symbol.dispose]();
    this.#holdings[Symbol.dispose]();
  }

  async #reconcile(ip: string): Promise<"Done" | "Retry"> {
    const holder = this.#holdings.holderOf(ip);
    try {
      if (holder !== undefined) await new ServiceAddresses(this.#api).claim(ip, holder);
      else return await this.#removeLeft(ip);
      return "Done";
    } catch (error) {
      return afterRefusal(error);
    }
  }

  async #removeLeft(ip: string): Promise<"Done" | "Retry"> {
    const address = await unlessGone(this.#api.send("GET", `${addressesPath}/${ip}`));
    if (address === undefined || !isManaged(address)) return "Done";
    if (this.#ageMs(address) <= longestWriteMs) return "Retry";
    await this.#api.send("DELETE", `${addressesPath}/${ip}`, { preconditions: { uid: address.metadata.uid } });
    return "Done";
  }

  #ageMs({ metadata: { creationTimestamp = "" } }: DynamicObject): number {
    return this.#clock.now() - parseTime(creationTimestamp);
  }
}
