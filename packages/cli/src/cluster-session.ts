import { KubeconfigError, TransportError, createClient, explainTransportError, loadConfig } from "@kaji/client";
import type { KubeClient } from "@kaji/client";
import { ApiError, systemClock } from "@kaji/core";
import type { Clock } from "@kaji/core";
import { CommandError } from "./command.ts";
import type { OptionValues, Terminal } from "./command.ts";
import { optionalText } from "./option-values.ts";
import { stopSignals } from "./stop-signals.ts";

/** A cluster to work on, for as long as a command runs. */
export interface ClusterSession {
  readonly client: KubeClient;
  /** How to call the cluster: its context if it has one, and its address. */
  readonly cluster: string;
  readonly clock: Clock;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
}

/** The options of commands that work on a cluster. */
export const clusterFlags = { kubeconfig: { type: "string" }, context: { type: "string" } } as const;

/** What `--help` says of them. */
export const clusterFlagsHelp = `  --kubeconfig FILE      the kubeconfig of the cluster (default: as kubectl)
  --context NAME         its context (default: the current one)
`;

/** Works on the cluster that kubectl would talk to. Its warnings are passed on; whatever goes wrong with it is said with what to do. */
export async function withCluster(
  values: OptionValues,
  { terminal, dryRun = false }: { readonly terminal: Terminal; readonly dryRun?: boolean },
  work: (session: ClusterSession) => Promise<void>,
): Promise<void> {
  const choice = { kubeconfig: optionalText(values, "kubeconfig"), context: optionalText(values, "context") };
  using stop = stopSignals(new CommandError("stopped half way; run it again to finish"));
  let cluster = "the cluster";
  try {
    const { connection, context } = await loadConfig(choice);
    cluster = context === undefined ? connection.server : `${context} (${connection.server})`;
    await using client = await createClient({
      connection,
      dryRun,
      fieldManager: "kaji",
      onWarning: (text) => terminal.err(`warning: ${text}\n`),
    });
    const session = { client, cluster, clock: systemClock, signal: stop.signal };
    await greet(session, terminal);
    await work(session);
  } catch (error) {
    throw explained(error, cluster);
  }
}

/** Waits until the cluster answers at all; a user who has to wait for longer than a second is told what for. */
export async function greet({ client, cluster, clock, signal }: ClusterSession, terminal: Terminal): Promise<void> {
  using _timer = clock.timer(1000, () => terminal.err(`waiting for ${cluster} to answer\n`));
  try {
    await client.discovery.version(signal);
  } catch (error) {
    // Who may not ask for the version may still do everything else.
    if (!(error instanceof ApiError)) throw error;
  }
}

/** The error as one that says what to do, where it is about the cluster. */
export function explained(error: unknown, cluster: string): unknown {
  if (error instanceof KubeconfigError) return new CommandError(`kubeconfig: ${error.message}`, { cause: error });
  if (error instanceof TransportError) return new CommandError(explainTransportError(error, cluster), { cause: error });
  if (!(error instanceof ApiError)) return error;
  const remedy = remedies.get(error.reason);
  return new CommandError(`${cluster} refused: ${error.message}${remedy === undefined ? "" : `; ${remedy}`}`, { cause: error });
}

/** What helps a user who may not. */
export const accessRemedy = "use a context of a user who may, or ask for the permission";

const remedies: ReadonlyMap<string, string> = new Map([
  ["Unauthorized", "your credentials are not known there, or have expired"],
  ["Forbidden", accessRemedy],
]);
