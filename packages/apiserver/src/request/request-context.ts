import type { Clock, Random, TransportRequest } from "@kaji/core";
import type { RequestInfo, UserInfo } from "@kaji/core/serving";

/** One request on its way through the server. */
export interface RequestContext {
  readonly method: TransportRequest["method"];
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly query: URLSearchParams;
  /** The query as it came, without its question mark. */
  readonly search: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** What the client should hear besides the answer; sent as `Warning` headers. */
  readonly warn: (message: string) => void;
  /** Notes something for the audit of the request, if there is one. */
  readonly annotate?: (key: string, value: string) => void;
}
