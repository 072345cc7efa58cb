import { readFile } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import type { ExecPlugin } from "../connection/connection.ts";
import { Redacted, reveal } from "../connection/secret.ts";
import type { ConfigNode } from "./config-node.ts";
import { readCluster } from "./read-cluster.ts";

/** The plugin that an exec entry describes. Secrets may be among its arguments and variables, and in what it is told of the cluster. */
export async function readExec(exec: ConfigNode, cluster: ConfigNode): Promise<ExecPlugin> {
  exec.requireOwn("a program");
  const apiVersion = oneOf(exec.at("apiVersion"), ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]);
  const mode = exec.at("interactiveMode");
  if (mode.isAbsent && apiVersion === "client.authentication.k8s.io/v1") throw mode.error("is missing; it is Never, IfAvailable or Always");
  const hint = exec.at("installHint").text();
  const told = exec.at("provideClusterInfo").flag() ? await clusterInfo(cluster) : undefined;
  return {
    apiVersion,
    command: readCommand(exec.at("command")),
    args: exec
      .at("args")
      .items()
      .map((item) => new Redacted(item.text() ?? "")),
    env: Object.fromEntries(
      exec
        .at("env")
        .items()
        .map((item) => [item.at("name").requiredText(), new Redacted(item.at("value").text() ?? "")]),
    ),
    // A hint is shown on a terminal, which must not obey it.
    installHint: hint?.replaceAll(/[^\P{Cc}\n\t]/gu, ""),
    interactiveMode: mode.isAbsent ? "IfAvailable" : oneOf(mode, ["Never", "IfAvailable", "Always"]),
    cluster: told === undefined ? undefined : () => told,
  };
}

/** A command with a path is relative to the kubeconfig; one without is looked for in PATH. */
function readCommand(node: ConfigNode): string {
  const command = node.requiredText();
  return command.includes(sep) ? resolve(dirname(node.file), command) : command;
}

/** What plugins are told of a cluster: in the names of its entry, the authority always as data, and what is in the extension for plugins. */
async function clusterInfo(cluster: ConfigNode): Promise<Readonly<Record<string, unknown>>> {
  const {
    server,
    certificateAuthority: authority,
    tlsServerName,
    insecureSkipTlsVerify,
    proxyUrl,
    disableCompression,
  } = await readCluster(cluster);
  const pem = authority?.type === "File" ? await readFile(authority.path, "utf8") : authority?.data;
  const config = cluster
    .at("extensions")
    .items()
    .find((item) => item.at("name").text() === "client.authentication.k8s.io/exec");
  return {
    server,
    ...(tlsServerName === undefined ? {} : { "tls-server-name": tlsServerName }),
    ...(insecureSkipTlsVerify === true ? { "insecure-skip-tls-verify": true } : {}),
    ...(pem === undefined ? {} : { "certificate-authority-data": Buffer.from(reveal(pem)).toString("base64") }),
    ...(proxyUrl === undefined ? {} : { "proxy-url": reveal(proxyUrl) }),
    ...(disableCompression === true ? { "disable-compression": true } : {}),
    config: config?.at("extension").raw() ?? null,
  };
}

function oneOf<const V extends string>(node: ConfigNode, allowed: readonly V[]): V {
  const text = node.requiredText();
  const found = allowed.find((each) => each === text);
  if (found === undefined) throw node.error(`must be ${allowed.join(" or ")}, and is ${JSON.stringify(text)}`);
  return found;
}
