import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { createClient, loadConfig } from "@kaji/client";
import type { Connection, KubeClient } from "@kaji/client";
import { startControlPlane } from "@kaji/cluster";
import { broughtResources } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import { explained, greet } from "../cluster-session.ts";
import type { ClusterSession } from "../cluster-session.ts";
import type { Terminal } from "../command.ts";
import { shellWord } from "../shell-word.ts";
import { loopFailures } from "../up/loop-failures.ts";
import { withRemedy } from "../up/start-failure.ts";
import type { DevOptions } from "./dev-options.ts";

/** The cluster that an operator is developed on. */
export interface DevTarget extends AsyncDisposable {
  readonly client: KubeClient;
  readonly connection: Connection;
  /** Undefined where the cluster is one of the user's kubeconfig. */
  readonly kubeconfig: string | undefined;
  /** How to call it. */
  readonly name: string;
}

/** A cluster of our own, in this process. */
export async function embeddedTarget(
  { data, port, nodes, fresh }: Pick<DevOptions, "data" | "fresh" | "nodes" | "port">,
  terminal: Terminal,
): Promise<DevTarget> {
  if (fresh) await forgetObjects(data);
  await using running = new AsyncDisposableStack();
  const { url, kubeconfig } = running.use(await withRemedy(startControlPlane({ folder: data, port, nodes, log: loopFailures(terminal) })));
  const { connection } = await loadConfig({ kubeconfig });
  const client = running.use(await createClient({ connection, fieldManager: "kaji", onWarning: () => {} }));
  const all = running.move();
  return { client, connection, kubeconfig, name: url, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** A cluster that is there already, once it answers. */
export async function remoteTarget(
  choice: { readonly context: string; readonly kubeconfig?: string | undefined },
  { terminal, clock, signal }: Pick<ClusterSession, "clock" | "signal"> & { readonly terminal: Terminal },
): Promise<DevTarget> {
  let name = choice.context;
  try {
    const { connection } = await loadConfig(choice);
    name = `${choice.context} (${connection.server})`;
    await using running = new AsyncDisposableStack();
    const client = running.use(await createClient({ connection, fieldManager: "kaji", onWarning: () => {} }));
    await greet({ client, cluster: name, clock, signal }, terminal);
    const all = running.move();
    return { client, connection, kubeconfig: undefined, name, [Symbol.asyncDispose]: () => all.disposeAsync() };
  } catch (error) {
    throw explained(error, name);
  }
}

/** What a person is told when the cluster is up. */
export function greetingOf({ name, kubeconfig }: Pick<DevTarget, "kubeconfig" | "name">, operator: OperatorDefinition): string {
  if (kubeconfig === undefined) return `Developing on ${name}. Ctrl+C stops it, and leaves definitions and roles in place.\n\n`;
  const path = relative("", kubeconfig).startsWith("..") ? shellWord(kubeconfig) : `$PWD/${shellWord(relative("", kubeconfig))}`;
  return `Kubernetes is up at ${name}.

In another terminal:
  export KUBECONFIG=${path}
  ${firstStep(operator)}

Ctrl+C stops it.

`;
}

/** What to try first: an operator without resources of its own has no samples of them. */
function firstStep(operator: OperatorDefinition): string {
  if (broughtResources(operator).length > 0) return "npx kaji manifests --out deploy && kubectl apply -f deploy/samples";
  return `kubectl get ${operator.controllers[0]?.resource.plural ?? "namespaces"} --all-namespaces`;
}

/** Drops what is stored, and keeps keys and certificates. That no other program uses the folder is found out by using it. */
async function forgetObjects(data: string): Promise<void> {
  if (!existsSync(join(data, "storage.db"))) return;
  await using _owner = await withRemedy(startControlPlane({ folder: data, controllers: [], nodes: 0 }));
  for (const name of readdirSync(data).filter((each) => each.startsWith("storage.db"))) rmSync(join(data, name));
}
