import type { ApiServer } from "@kaji/apiserver";
import { isReason } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import type { LocalApi } from "./local-api.ts";
import { NamespaceDeletion } from "./namespace-deletion.ts";

const prefix = "/registry/namespaces/";

/**
 * Gives every namespace its `default` ServiceAccount and `kube-root-ca.crt`, and empties those that are being deleted.
 * Level-driven: whatever happens to a namespace or, while it ends, in it, it is looked at anew.
 */
export class NamespaceController implements Disposable {
  readonly #api: LocalApi;
  readonly #deletion: NamespaceDeletion;
  readonly #rootCa: string;
  /** Namespaces to be looked at, each once. */
  readonly #pending = new Set<string>();
  /** Namespaces that are ending: what leaves them is a reason to look again. */
  readonly #ending = new Set<string>();
  readonly #subscription: Disposable;
  #working: Promise<void> | undefined;

  constructor(server: ApiServer, api: LocalApi, rootCa: string) {
    this.#api = api;
    this.#rootCa = rootCa;
    this.#deletion = new NamespaceDeletion(server, api);
    const { storage } = server.registry;
    for (const { key } of storage.list(prefix).entries) this.#look(key.slice(prefix.length));
    this.#subscription = storage.subscribe("/registry/", storage.currentRevision, ({ key, type }) => {
      if (key.startsWith(prefix)) this.#look(key.slice(prefix.length));
      else if (type === "Delete") this.#lookWhereGone(key);
    });
  }

  /** Resolves when every namespace is as it should be, as far as this controller can make it so. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#pending.clear();
  }

  #lookWhereGone(key: string): void {
    for (const name of this.#ending) {
      if (key.includes(`/${name}/`)) this.#look(name);
    }
  }

  #look(name: string): void {
    this.#pending.add(name);
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  async #work(): Promise<void> {
    // Storage tells of a change before its writer hears of it; let the writer go first.
    await Promise.resolve();
    for (const name of this.#pending) {
      this.#pending.delete(name);
      await this.#reconcile(name);
    }
  }

  async #reconcile(name: string): Promise<void> {
    try {
      const namespace = await this.#api.send("GET", `/api/v1/namespaces/${name}`);
      if (namespace.metadata.deletionTimestamp === undefined) await this.#furnish(namespace);
      else await this.#end(namespace);
    } catch (error) {
      // Gone, or changed meanwhile: then there is another event.
      if (!isReason(error, "NotFound", "Conflict", "Forbidden", "ServiceUnavailable")) throw error;
      this.#ending.delete(name);
    }
  }

  async #furnish({ metadata }: DynamicObject): Promise<void> {
    const path = `/api/v1/namespaces/${metadata.name}`;
    await this.#api.ensure(`${path}/serviceaccounts`, { metadata: { name: "default" } });
    await this.#api.ensure(`${path}/configmaps`, { metadata: { name: "kube-root-ca.crt" }, data: { "ca.crt": this.#rootCa } });
  }

  async #end(namespace: DynamicObject): Promise<void> {
    const { name } = namespace.metadata;
    this.#ending.add(name);
    const isGone = await this.#deletion.advance(namespace);
    if (isGone) this.#ending.delete(name);
  }
}
