import { readOnce } from "@kaji/apiserver";
import type { Entry, Storage } from "@kaji/apiserver";
import { isJsonObject, parseJsonBytes } from "@kaji/core";
import { objectField, stringsField } from "../json-fields.ts";
import { takenNodePorts } from "./service-fields.ts";

const prefix = "/registry/services/specs/";

/** A service that has something. */
export interface Holder {
  readonly namespace: string;
  readonly name: string;
}

/** Which addresses and ports the services of a server have. */
export interface HeldByServices {
  hasIp(ip: string): boolean;
  hasPort(port: number): boolean;
}

/** Follows the services of a storage from when it is first asked: a storage tells of a write before the write is settled, so that there is no time at which a new service has nothing. */
export class ServiceHoldings implements HeldByServices, Disposable {
  readonly #storage: Storage;
  /** By the key in storage. */
  readonly #services = new Map<string, Holding>();
  /** The key of who has it. */
  readonly #ips = new Map<string, string>();
  readonly #ports = new Map<number, string>();
  #subscription: Disposable | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  hasIp(ip: string): boolean {
    this.#follow();
    return this.#ips.has(ip);
  }

  /** The service that has an address. */
  holderOf(ip: string): Holder | undefined {
    this.#follow();
    const [namespace, name] = this.#ips.get(ip)?.slice(prefix.length).split("/") ?? [];
    return namespace === undefined || name === undefined ? undefined : { namespace, name };
  }

  /** All addresses that services have. */
  ips(): Iterable<string> {
    this.#follow();
    return this.#ips.keys();
  }

  hasPort(port: number): boolean {
    this.#follow();
    return this.#ports.has(port);
  }

  [Symbol.dispose](): void {
    this.#subscription?.[Symbol.dispose]();
  }

  #follow(): void {
    if (this.#subscription !== undefined) return;
    const { entries, revision } = this.#storage.list(prefix);
    for (const entry of entries) this.#set(entry.key, entry);
    this.#subscription = this.#storage.subscribe(prefix, revision, (event) =>
      this.#set(event.key, event.type === "Put" ? event.entry : undefined),
    );
  }

  #set(key: string, entry: Entry | undefined): void {
    const before = this.#services.get(key);
    for (const ip of before?.ips ?? []) if (this.#ips.get(ip) === key) this.#ips.delete(ip);
    for (const port of before?.ports ?? []) if (this.#ports.get(port) === key) this.#ports.delete(port);
    if (entry === undefined) {
      this.#services.delete(key);
      return;
    }
    const now = read(entry.bytes);
    this.#services.set(key, now);
    for (const ip of now.ips) this.#ips.set(ip, key);
    for (const port of now.ports) this.#ports.set(port, key);
  }
}

/** What one service has. */
interface Holding {
  readonly ips: readonly string[];
  readonly ports: readonly number[];
}

const read = readOnce((bytes): Holding => {
  const value = parseJsonBytes(bytes);
  const spec = objectField(isJsonObject(value) ? value : {}, "spec");
  return { ips: stringsField(spec, "clusterIPs"), ports: takenNodePorts(spec) };
});
