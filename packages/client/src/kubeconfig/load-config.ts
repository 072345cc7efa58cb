import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { dns1123LabelErrors } from "@kaji/core";
import type { Environment } from "../http/environment-proxy.ts";
import type { ConfigNode } from "./config-node.ts";
import { inClusterConfig, serviceAccountFolder } from "./in-cluster.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import { parseKubeconfig, readKubeconfig } from "./kubeconfig-file.ts";
import type { KubeconfigFile } from "./kubeconfig-file.ts";
import type { LoadedConfig } from "./loaded-config.ts";
import { mergeKubeconfigs } from "./merge.ts";
import { readCluster } from "./read-cluster.ts";
import { readUser } from "./read-user.ts";

/** A kubeconfig that is in no file, such as one in a Secret. Whoever wrote it has no say on this machine: one that names files or programs is refused. */
export interface KubeconfigText {
  readonly text: string;
  /** What messages call it, such as `Secret fleet/east`. */
  readonly name: string;
}

/** Which configuration is wanted. */
export interface LoadOptions {
  /** A kubeconfig that is used alone: its path, or what it says. Default: those in `$KUBECONFIG`, else the service account of this Pod, else `~/.kube/config`. */
  readonly kubeconfig?: string | KubeconfigText | undefined;
  /** The context to use. Default: the current one. */
  readonly context?: string | undefined;
  /** Default: the variables of this process. */
  readonly environment?: Environment | undefined;
  /** Where a Pod finds its service account. Default: where kubelets put it. */
  readonly serviceAccountFolder?: string | undefined;
}

/** Finds the configuration that kubectl would find, or that of the Pod we run in. Throws a `KubeconfigError` that says what to do. */
export async function loadConfig(options: LoadOptions = {}): Promise<LoadedConfig> {
  const { kubeconfig, context, environment = process.env, serviceAccountFolder: folder = serviceAccountFolder } = options;
  const listed = [...new Set((environment["KUBECONFIG"] ?? "").split(delimiter))].filter((path) => path !== "");
  if (typeof kubeconfig === "object")
    return resolveContext(await parseKubeconfig(kubeconfig.name, kubeconfig.text, { isOfOthers: true }), context);
  if (kubeconfig !== undefined) return fromFiles([kubeconfig], context);
  if (listed.length > 0) return fromFiles(listed, context);
  const home = join(environment["HOME"] ?? homedir(), ".kube/config");
  const ofPod = context === undefined ? await accountOfPod(environment, folder, home) : undefined;
  return ofPod ?? fromFiles([home], context);
}

/** The service account of the Pod we run in, if any. A Pod that is not given the token of one may have a kubeconfig instead. */
async function accountOfPod(environment: Environment, folder: string, instead: string): Promise<LoadedConfig | undefined> {
  try {
    return await inClusterConfig(environment, folder);
  } catch (error) {
    if (existsSync(instead)) return undefined;
    throw error;
  }
}

async function fromFiles(paths: readonly string[], context: string | undefined): Promise<LoadedConfig> {
  const files = (await Promise.all(paths.map(readKubeconfig))).filter((file) => file !== undefined);
  if (files.length === 0) {
    throw new KubeconfigError("there is no such file; set KUBECONFIG to the path of a kubeconfig", { file: paths.join(", ") });
  }
  return resolveContext(mergeKubeconfigs(files), context);
}

/** What a context of a kubeconfig means; without a name, the current one. */
async function resolveContext(config: KubeconfigFile, name?: string): Promise<LoadedConfig> {
  const context = name ?? config.currentContext.text();
  const known = [...config.contexts.keys()].map((each) => JSON.stringify(each)).join(", ");
  if (context === undefined) throw config.currentContext.error(`is not set; there ${known === "" ? "are no contexts" : `is ${known}`}`);
  const entry = config.contexts.get(context);
  if (entry === undefined) {
    const { file, field } = config.currentContext;
    // One that the caller has named stands in no field.
    const place = name === undefined ? { file, field } : { file };
    throw new KubeconfigError(`there is no context ${JSON.stringify(context)}; there is ${known || "none"}`, place);
  }
  const cluster = referred(entry.at("cluster"), config.clusters);
  const connection = await readCluster(cluster);
  const named = entry.at("user");
  const user = named.isAbsent ? {} : await readUser(referred(named, config.users), cluster);
  // As kubectl does it: no credentials over an unencrypted connection.
  const shown = new URL(connection.server).protocol === "https:" ? user : { impersonate: user.impersonate };
  return { connection: { ...connection, user: shown }, namespace: readNamespace(entry.at("namespace")), context };
}

function referred(reference: ConfigNode, entries: ReadonlyMap<string, ConfigNode>): ConfigNode {
  const name = reference.requiredText();
  const entry = entries.get(name);
  if (entry === undefined) throw reference.error(`there is no ${JSON.stringify(name)}`);
  return entry;
}

function readNamespace(node: ConfigNode): string {
  const namespace = node.text() ?? "default";
  const [problem] = dns1123LabelErrors(namespace);
  if (problem !== undefined) throw node.error(`${JSON.stringify(namespace)} is no namespace: ${problem}`);
  return namespace;
}
