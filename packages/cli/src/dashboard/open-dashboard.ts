import { createClient, loadConfig } from "@kaji/client";
import { startDashboard } from "@kaji/dashboard";
import type { Dashboard } from "@kaji/dashboard";

/** Serves the dashboard of a cluster that this program runs, on any free port. */
export async function openDashboard(kubeconfig: string): Promise<Dashboard> {
  await using parts = new AsyncDisposableStack();
  const { connection } = await loadConfig({ kubeconfig });
  const client = parts.use(await createClient({ connection, onWarning: () => {} }));
  const { url } = parts.use(await startDashboard({ client, cluster: connection.server, watchesAtOnce: true }));
  const all = parts.move();
  return { url, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
