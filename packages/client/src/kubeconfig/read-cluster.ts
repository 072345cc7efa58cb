import type { Connection } from "../connection/connection.ts";
import { Redacted } from "../connection/secret.ts";
import { proxyProblem } from "../http/proxy-url.ts";
import type { ConfigNode } from "./config-node.ts";
import { readPem } from "./read-pem.ts";

/** The part of a connection that a cluster entry tells. */
export async function readCluster(cluster: ConfigNode): Promise<Omit<Connection, "user">> {
  const insecure = cluster.at("insecure-skip-tls-verify");
  const certificateAuthority = await readPem(cluster, "certificate-authority");
  if (insecure.flag() && certificateAuthority !== undefined)
    throw insecure.error("cannot be true where there is a certificate authority to verify by");
  return {
    server: readServer(cluster.at("server")),
    certificateAuthority,
    tlsServerName: cluster.at("tls-server-name").text(),
    insecureSkipTlsVerify: insecure.flag(),
    proxyUrl: readProxy(cluster.at("proxy-url")),
    disableCompression: cluster.at("disable-compression").flag(),
  };
}

function readServer(node: ConfigNode): string {
  const server = node.requiredText();
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw node.error(`must be a URL such as https://10.0.0.1:6443, and is ${JSON.stringify(server)}`);
  }
  return server;
}

function readProxy(node: ConfigNode): Redacted | undefined {
  const text = node.text();
  if (text === undefined) return undefined;
  const problem = proxyProblem(text);
  if (problem !== undefined) throw node.error(problem);
  return new Redacted(text);
}
