import type { EtcdTls } from "./etcd/etcd-gateway.ts";
import type { Storage } from "./storage.ts";
import type { StorageOptions } from "./versioned-storage.ts";

/** Where in which etcd a storage is. */
export interface EtcdOptions {
  /** The URLs of its servers, such as `https://10.0.0.1:2379`. They are tried in turn. */
  readonly servers: readonly string[];
  /** What the keys begin with. Each API server needs one of its own. Default `/kaji`. */
  readonly prefix?: string | undefined;
  readonly tls?: EtcdTls | undefined;
  /** Is told, once, which other instance has taken the prefix: from then on no write is taken any more, and reads show nothing new. */
  readonly onLost?: ((reason: string) => void) | undefined;
}

/** A storage kept in an etcd: a write that has been acknowledged is there as long as etcd keeps its promises. Loaded only when it is used. */
export async function openEtcdStorage(etcd: EtcdOptions, options: StorageOptions): Promise<Storage> {
  const { createEtcdStorage, takePrefix } = await import("./etcd/create-etcd-storage.ts");
  return createEtcdStorage(await takePrefix(etcd, options), options);
}
