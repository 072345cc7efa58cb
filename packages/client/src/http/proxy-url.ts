/** What is wrong with the URL of a proxy, as the rest of a sentence about it; undefined if nothing is. It may have a password in it, and is never quoted. */
export function proxyProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return "must be a URL such as http://proxy:3128 or socks5://proxy:1080";
  if (!protocols.includes(url.protocol)) return `must be an http, https or socks5 proxy; ${url.protocol}// is not supported`;
  try {
    proxyUser(url);
  } catch {
    return "has a user or password that is not encoded as in a URL, where a % is %25";
  }
  return undefined;
}

/** What error messages call the way to a server: by the proxy, too, which may be what does not answer. Without its user and password. */
export function wayTo({ server, proxy }: { readonly server: URL; readonly proxy: URL | undefined }): string {
  return proxy === undefined ? server.origin : `${server.origin} through the proxy ${proxy.host}`;
}

/** Whether a proxy speaks SOCKS. As in Go, names of servers are always left to such a one. */
export function isSocks({ protocol }: URL): boolean {
  return protocol === "socks5:" || protocol === "socks5h:";
}

/** Who a proxy is told we are. */
export function proxyUser({ username, password }: URL): { readonly name: string; readonly password: string } | undefined {
  return username === "" ? undefined : { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

const protocols = ["http:", "https:", "socks5:", "socks5h:"];
