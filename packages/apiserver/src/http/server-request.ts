import type { TransportRequest } from "@kaji/core";
import type { ClientCertificate } from "@kaji/core/serving";

/** A request from the network, whose sender is not authenticated yet. */
export interface ServerRequest extends TransportRequest {
  readonly certificate?: ClientCertificate | undefined;
  /** Names and values in turn, as they came: what was sent several times is not joined. */
  readonly rawHeaders?: readonly string[] | undefined;
  /** The address at the other end of the connection. */
  readonly remoteAddress?: string | undefined;
}
