import type { ApiServer } from "@kaji/apiserver";
import { objectOf, parseJsonBytes, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { afterRefusal } from "./after-refusal.ts";
import { KeyedWorker } from "./keyed-worker.ts";
import type { LocalApi } from "./local-api.ts";
import { NamespaceDeletion } from "./namespace-deletion.ts";

const prefix = "/registry/namespaces/";
/** What every namespace has: removed or changed, it is put back. */
const furniture = /^\/registry\/(?:configmaps\/([^/]+)\/kube-root-ca\.crt|serviceaccounts\/([^/]+)\/default)$/;

/**
 * Gives every namespace its `default` ServiceAccount and `kube-root-ca.crt`, and empties those that are being deleted.
 * Level-driven: whatever happens to a namespace or, while it ends, in it, it is looked at anew.
 */
export class NamespaceController implements Disposable {
  readonly #api: LocalApi;
  readonly #deletion: NamespaceDeletion;
  readonly #rootCa: string;
  readonly #namespaces: KeyedWorker;
  /** Those that are ending: extension servers that take their time over it keep no new namespace waiting. */
  readonly #endings: KeyedWorker;
  /** Namespaces that are ending: what leaves them is a reason to look again. */
  readonly #ending = new Set<string>();
  readonly #subscription: Disposable;

  /** Where all namespaces are as they should be, only those that are ending are looked at. */
  constructor(server: ApiServer, api: LocalApi, rootCa: string, { isAtRest = false }: { readonly isAtRest?: boolean } = {}) {
    this.#api = api;
    this.#rootCa = rootCa;
    const told = { log: api.log, kind: "Namespace" };
    this.#namespaces = new KeyedWorker(server.clock, told, (name) => this.#reconcile(name, (namespace) => this.#furnish(namespace)));
    this.#endings = new KeyedWorker(server.clock, told, (name) => this.#reconcile(name, (namespace) => this.#end(namespace)));
    this.#deletion = new NamespaceDeletion(server, api);
    const { storage } = server.registry;
    for (const { key, bytes } of storage.list(prefix).entries) {
      if (!isAtRest || isEnding(bytes)) this.#namespaces.add(key.slice(prefix.length));
    }
    this.#subscription = storage.subscribe("/registry/", storage.currentRevision, ({ key, type }) => {
      if (key.startsWith(prefix)) this.#namespaces.add(key.slice(prefix.length));
      const [, ofConfigMap, ofAccount] = furniture.exec(key) ?? [];
      const furnished = ofConfigMap ?? ofAccount;
      if (furnished !== undefined) this.#namespaces.add(furnished);
      else if (type === "Delete") this.#lookWhereGone(key);
    });
  }

  /** Resolves when every namespace is as it should be, as far as this controller can make it so. */
  async settled(): Promise<void> {
    while (this.#namespaces.isBusy || this.#endings.isBusy) await Promise.all([this.#namespaces.settled(), this.#endings.settled()]);
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#namespaces[Symbol.dispose]();
    this.#endings[Symbol.dispose]();
  }

  #lookWhereGone(key: string): void {
    for (const name of this.#ending) {
      if (key.includes(`/${name}/`)) this.#endings.add(name);
    }
  }

  async #reconcile(name: string, work: (namespace: DynamicObject) => Promise<"Done" | "Retry">): Promise<"Done" | "Retry"> {
    try {
      return await work(await this.#api.send("GET", `/api/v1/namespaces/${name}`));
    } catch (error) {
      this.#ending.delete(name);
      return afterRefusal(error);
    }
  }

  async #furnish({ metadata }: DynamicObject): Promise<"Done"> {
    if (metadata.deletionTimestamp !== undefined) {
      this.#endings.add(metadata.name);
      return "Done";
    }
    const path = `/api/v1/namespaces/${metadata.name}`;
    await this.#api.ensure(`${path}/serviceaccounts`, { metadata: { name: "default" } });
    const name = "kube-root-ca.crt";
    const data = { "ca.crt": this.#rootCa };
    await this.#api.ensure(`${path}/configmaps`, { metadata: { name }, data });
    const present = await this.#api.send("GET", `${path}/configmaps/${name}`);
    if (!structuralEqual(present["data"], data)) await this.#api.send("PUT", `${path}/configmaps/${name}`, { ...present, data });
    return "Done";
  }

  async #end(namespace: DynamicObject): Promise<"Done" | "Retry"> {
    const { name, deletionTimestamp } = namespace.metadata;
    if (deletionTimestamp === undefined) return "Done";
    this.#ending.add(name);
    const progress = await this.#deletion.advance(namespace);
    if (progress === "Gone") this.#ending.delete(name);
    return progress === "Again" ? "Retry" : "Done";
  }
}

function isEnding(bytes: Uint8Array): boolean {
  return objectOf(parseJsonBytes(bytes)).metadata.deletionTimestamp !== undefined;
}
