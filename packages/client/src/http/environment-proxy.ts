import { BlockList, isIP } from "node:net";

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that the environment wants for a server: `HTTPS_PROXY` or `HTTP_PROXY`, unless `NO_PROXY` or loopback speaks against it. */
export function environmentProxy(server: URL, environment: Environment): string | undefined {
  const name = server.protocol === "https:" ? "https_proxy" : "http_proxy";
  const proxy = variable(environment, name);
  if (proxy === undefined || isDirect(server, variable(environment, "no_proxy") ?? "")) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** As Go has it: a list of hosts, domains with all below them, addresses and ranges of them, each perhaps with a port; `*` is everything. */
function isDirect(server: URL, list: string): boolean {
  const host = server.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const port = server.port === "" ? (server.protocol === "https:" ? "443" : "80") : server.port;
  if (host === "localhost" || isLoopback(host)) return true;
  return list.split(",").some((item) => matches(item.trim().toLowerCase(), host, port));
}

function matches(item: string, host: string, port: string): boolean {
  if (item === "") return false;
  if (item === "*") return true;
  if (item.includes("/")) return isInRange(item, host);
  const [, bracketed, plain, wantedPort] = /^(?:\[([^\]]*)\]|([^:]*|[^:]*:[^:]*:.*?))(?::(\d+))?$/.exec(item) ?? [];
  const wanted = (bracketed ?? plain ?? item).replace(/^\*?\./, ".");
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (wanted.startsWith(".")) return host.endsWith(wanted);
  return host === wanted || (isIP(wanted) === 0 && host.endsWith(`.${wanted}`));
}

function isInRange(range: string, host: string): boolean {
  const [network = "", bits = ""] = range.split("/");
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(network, Number(bits), type);
  return list.check(host, type);
}

function isLoopback(host: string): boolean {
  return host === "::1" || isInRange("127.0.0.0/8", host);
}

function variable(environment: Environment, name: string): string | undefined {
  return [environment[name.toUpperCase()], environment[name]].find((value) => value !== undefined && value !== "");
}
