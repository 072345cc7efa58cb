import type { SecureContext } from "node:tls";

/** What the connections of a pool have in common. */
export interface PoolOptions {
  readonly server: URL;
  /** Undefined for an `http:` server. */
  readonly tls:
    | { readonly secureContext: SecureContext; readonly servername: string | undefined; readonly isVerified: boolean }
    | undefined;
  /** The proxy on the way to the server. */
  readonly proxy: URL | undefined;
}
