import { parseResponseHead } from "./response-head.ts";
import { isSocks, proxyUser } from "./proxy-url.ts";
import { SocksGreeting } from "./socks-greeting.ts";

/** The talk with a proxy that comes before the bytes of a connection. */
export interface ProxyGreeting {
  /** What is said to it first. */
  readonly opening: Uint8Array;
  /** What is to be done about what it has said; undefined if that is not all yet. Throws if it refuses. */
  answer(said: Buffer): GreetingStep | undefined;
}

/** What follows from the first bytes that a proxy has said. */
export interface GreetingStep {
  readonly read: number;
  /** What it is told next; undefined if the way to the server is open. */
  readonly say: Uint8Array | undefined;
}

/** How a proxy is asked to connect to a server. */
export function proxyGreeting(proxy: URL, server: URL): ProxyGreeting {
  return isSocks(proxy) ? new SocksGreeting(proxy, server) : connectGreeting(proxy, server);
}

/** What is shown to an HTTP proxy whose URL has a user. */
export function proxyAuthorization(proxy: URL): string | undefined {
  const user = proxyUser(proxy);
  return user === undefined ? undefined : `Basic ${Buffer.from(`${user.name}:${user.password}`).toString("base64")}`;
}

/** The response of a proxy to CONNECT has only a few headers. */
const longestHead = 16 * 1024;
const endOfHead = "\r\n\r\n";

function connectGreeting(proxy: URL, server: URL): ProxyGreeting {
  const authority = `${server.hostname}:${server.port === "" ? 443 : server.port}`;
  const authorization = proxyAuthorization(proxy);
  const shown = authorization === undefined ? "" : `proxy-authorization: ${authorization}\r\n`;
  return {
    opening: Buffer.from(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${shown}\r\n`, "latin1"),
    answer(said) {
      const end = said.indexOf(endOfHead);
      if (end < 0 && said.byteLength > longestHead) throw new Error("the proxy does not speak HTTP");
      if (end < 0) return undefined;
      const { status } = parseResponseHead(said.toString("latin1", 0, end));
      if (status < 200 || status > 299) throw new Error(`the proxy refused CONNECT with status ${status}`);
      return { read: end + endOfHead.length, say: undefined };
    },
  };
}
