import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { writePrivateFile } from "@kaji/apiserver";
import type { Connection, KubeClient, SecretText } from "@kaji/client";

/** A year: no run of `kaji dev` lasts longer. Servers that do not allow it give less. */
const expirationSeconds = 365 * 24 * 3600;

/** Writes a kubeconfig with which the operator is its own service account, and returns its path. */
export async function writeOperatorKubeconfig(
  client: KubeClient,
  connection: Connection,
  { folder, name, namespace }: { readonly folder: string; readonly name: string; readonly namespace: string },
): Promise<string> {
  const { status } = await client.createToken({ namespace, name }, { audiences: [], expirationSeconds });
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: clusterEntry(connection) }],
    users: [{ name, user: { token: status?.token ?? "" } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    "current-context": name,
  };
  const path = join(folder, "operator.kubeconfig");
  mkdirSync(folder, { recursive: true });
  writePrivateFile(path, `${JSON.stringify(config, undefined, 2)}\n`);
  return path;
}

/** What clients that the operator makes itself are found by: its own account, as in its Pod, and only for contexts that it names the kubeconfigs of its author. */
export function kubeconfigsOf(own: string, { KUBECONFIG, HOME }: NodeJS.ProcessEnv): string {
  const theirs = KUBECONFIG === undefined || KUBECONFIG === "" ? join(HOME ?? homedir(), ".kube/config") : KUBECONFIG;
  return [own, theirs].join(delimiter);
}

function clusterEntry({ server, certificateAuthority: authority, tlsServerName, insecureSkipTlsVerify, proxyUrl }: Connection): object {
  return {
    server,
    ...(authority?.type === "File" ? { "certificate-authority": authority.path } : {}),
    ...(authority?.type === "Data" ? { "certificate-authority-data": Buffer.from(textOf(authority.data)).toString("base64") } : {}),
    ...(tlsServerName === undefined ? {} : { "tls-server-name": tlsServerName }),
    ...(insecureSkipTlsVerify === true ? { "insecure-skip-tls-verify": true } : {}),
    ...(proxyUrl === undefined ? {} : { "proxy-url": textOf(proxyUrl) }),
  };
}

function textOf(secret: SecretText): string {
  return typeof secret === "string" ? secret : secret.reveal();
}
