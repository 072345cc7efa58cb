import { errorMessage, systemClock } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { Terminal } from "../command.ts";
import { openProject, requireMain } from "../project/project.ts";
import { reloadable } from "../project/reloadable.ts";
import { stopSignals } from "../stop-signals.ts";
import { embeddedTarget, greetingOf, remoteTarget } from "./dev-target.ts";
import type { DevTarget } from "./dev-target.ts";
import { DevLog } from "./dev-log.ts";
import type { DevOptions } from "./dev-options.ts";
import { readDevResources } from "./dev-resources.ts";
import { DevelopedOperator } from "./developed-operator.ts";
import { freePort } from "./free-port.ts";
import { watchRemovedDefinitions } from "./removed-definitions.ts";
import { ReportFile } from "./report-file.ts";
import { watchSources } from "./source-watch.ts";
import { localReach, noReach, reachAt } from "./webhook-reach.ts";
import type { WebhookReach } from "./webhook-reach.ts";

/** Runs the cluster and on it the operator, anew after each change of its sources, until it is told to stop. */
export async function develop(options: DevOptions, terminal: Terminal): Promise<void> {
  const { project } = options;
  // Another cluster has what others bring already, or is to have it from them. package.json may change meanwhile.
  const resourcePaths = (): readonly string[] => (options.context === undefined ? openProject(project.folder).devResources : []);
  const resources = (): readonly KubeObject[] => readDevResources({ folder: project.folder, devResources: resourcePaths() });
  const log = new DevLog({ ...options, terminal, clock: systemClock, folder: project.folder });
  using sources = reloadable(project);
  const webhookReach = await reachOf(options);
  // What cannot be loaded at all is said before anything is started.
  const definition = await sources.load();
  requireMain(project);
  resources();
  await using running = new AsyncDisposableStack();
  using stop = stopSignals(new CommandError("stopped before the cluster was there"));
  const { signal } = stop;
  const { context, kubeconfig } = options;
  const target = running.use(
    context === undefined
      ? await embeddedTarget(options, terminal)
      : await remoteTarget({ context, kubeconfig }, { terminal, clock: systemClock, signal }),
  );
  const session: ClusterSession = { client: target.client, cluster: target.name, clock: systemClock, signal };
  // After the target, which may have emptied the folder.
  const reports = new ReportFile(options.data, systemClock);
  const metricsPort = await freePort();
  const operator = running.use(
    new DevelopedOperator({
      ...options,
      level: options.log,
      resources,
      session,
      terminal,
      log,
      reports,
      sources,
      webhookReach,
      metricsPort,
      target,
    }),
  );
  const told = (error: unknown): void => log.say(errorMessage(error));
  // Before the first start, which takes a while: what is saved meanwhile is not lost.
  const onChange = (file: string): void => {
    log.say(`${file} was saved`);
    operator.restart().catch(told);
  };
  using _watch = watchSources(project, { resources: resourcePaths, clock: systemClock, onChange });
  running.use(watchRemovedDefinitions(session, (name) => void operator.definitionRemoved(name).catch(told)));
  terminal.out(options.output === "json" ? jsonLine(target) : greetingOf(target, definition));
  await operator.restart();
  const { startDashboard } = await import("@kaji/dashboard"); // After the operator, which must not wait for it.
  // A cluster of our own is small, and whoever opens the page later sees all that happened on it; on another one nothing is watched that nobody looks at.
  const watchesAtOnce = options.context === undefined;
  const dashboard = running.use(await startDashboard({ client: target.client, cluster: target.name, watchesAtOnce }));
  tellAddresses({ dashboard: dashboard.url, metrics: `http://127.0.0.1:${metricsPort}/metrics` }, { ...options, terminal, log });
  await stop.first;
  log.say("stopping");
}

/** Says what there is to look at. */
function tellAddresses(
  { dashboard, metrics }: { readonly dashboard: string; readonly metrics: string },
  { output, terminal, log }: Pick<DevOptions, "output"> & { readonly terminal: Terminal; readonly log: DevLog },
): void {
  if (output === "json") {
    for (const line of [
      { type: "Dashboard", url: dashboard },
      { type: "Metrics", url: metrics },
    ])
      terminal.out(`${JSON.stringify(line)}\n`);
  } else {
    log.say(`what happens is shown at ${dashboard}`);
    log.say(`metrics of the operator are at ${metrics}`);
  }
}

function reachOf({ context, webhookHost }: DevOptions): Promise<WebhookReach> {
  if (context === undefined) return localReach();
  return webhookHost === undefined ? noReach() : reachAt(webhookHost);
}

function jsonLine({ connection, kubeconfig }: DevTarget): string {
  return `${JSON.stringify({ type: "Ready", url: connection.server, ...(kubeconfig === undefined ? {} : { kubeconfig }), pid: process.pid })}\n`;
}
