import type { ApiServer } from "@kaji/apiserver";
import { ApiError, isReason, objectOf, parseJsonBytes, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
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
  /** Namespaces that are ending: what leaves them is a reason to look again. */
  readonly #ending = new Set<string>();
  readonly #subscription: Disposable;

  /** Where all namespaces are as they should be, only those that are ending are looked at. */
  constructor(server: ApiServer, api: LocalApi, rootCa: string, { isAtRest = false }: { readonly isAtRest?: boolean } = {}) {
    this.#api = api;
    this.#rootCa = rootCa;
    this.#namespaces = new KeyedWorker(server.clock, (name) => this.#reconcile(name));
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
  settled(): Promise<void> {
    return this.#namespaces.settled();
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]();
    this.#namespaces[Symbol.dispose]();
  }

  #lookWhereGone(key: string): void {
    for (const name of this.#ending) {
      if (key.includes(`/${name}/`)) this.#namespaces.add(name);
    }
  }

  async #reconcile(name: string): Promise<"Done" | "Retry"> {
    try {
      const namespace = await this.#api.send("GET", `/api/v1/namespaces/${name}`);
      if (namespace.metadata.deletionTimestamp === undefined) await this.#furnish(namespace);
      else await this.#end(namespace);
      return "Done";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#ending.delete(name);
      // Gone, or changed meanwhile: then there is another event. Or the server itself is going.
      return isReason(error, "NotFound", "Conflict", "ServiceUnavailable") ? "Done" : "Retry";
    }
  }

  async #furnish({ metadata }: DynamicObject): Promise<void> {
    const path = `/api/v1/namespaces/${metadata.name}`;
    await this.#api.ensure(`${path}/serviceaccounts`, { metadata: { name: "default" } });
    const name = "kube-root-ca.crt";
    const data = { "ca.crt": this.#rootCa };
    await this.#api.ensure(`${path}/configmaps`, { metadata: { name }, data });
    const present = await this.#api.send("GET", `${path}/configmaps/${name}`);
    if (!structuralEqual(present["data"], data)) await this.#api.send("PUT", `${path}/configmaps/${name}`, { ...present, data });
  }

  async #end(namespace: DynamicObject): Promise<void> {
    const { name } = namespace.metadata;
    this.#ending.add(name);
    const isGone = await this.#deletion.advance(namespace);
    if (isGone) this.#ending.delete(name);
  }
}

function isEnding(bytes: Uint8Array): boolean {
  return objectOf(parseJsonBytes(bytes)).metadata.deletionTimestamp !== undefined;
}
