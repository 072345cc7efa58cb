import type { ProxyGreeting } from "./proxy-greeting.ts";
import { proxyUser } from "./proxy-url.ts";
import { parseResponseHead } from "./response-head.ts";

/** What is shown to an HTTP proxy whose URL has a user. */
export function proxyAuthorization(proxy: URL): string | undefined {
  const user = proxyUser(proxy);
  return user === undefined ? undefined : `Basic ${Buffer.from(`${user.name}:${user.password}`).toString("base64")}`;
}

/** The response of a proxy to CONNECT has only a few headers. */
const longestHead = 16 * 1024;
const endOfHead = "\r\n\r\n";

/** How an HTTP proxy is asked to connect to a server. */
export function connectGreeting(proxy: URL, server: URL): ProxyGreeting {
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
