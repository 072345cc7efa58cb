import { join } from "node:path";
import { errorMessage } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { operatorManifests } from "@kaji/manifests";
import type { OperatorDefinition } from "@kaji/runtime";
import type { ClusterSession } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { Terminal } from "../command.ts";
import { applyObjects, readIfPresent, servedResource } from "../deploy/apply-objects.ts";
import { ChangeReport } from "../deploy/change-report.ts";
import { lookAtDefinitions } from "../deploy/definitions.ts";
import { findLeftovers } from "../deploy/leftovers.ts";
import { warnOfMisfits } from "../deploy/misfits.ts";
import { objectName } from "../deploy/object-name.ts";
import { removeObjects } from "../deploy/remove-objects.ts";
import { waitUntil } from "../deploy/wait-until.ts";
import type { ReloadableOperator } from "../project/reloadable.ts";
import type { DevTarget } from "./dev-target.ts";
import type { DevOptions } from "./develop.ts";
import { kubeconfigsOf, writeOperatorKubeconfig } from "./operator-access.ts";
import type { DevLog } from "./dev-log.ts";
import { OperatorProcess } from "./operator-process.ts";
import { uncalledParts } from "./uncalled-parts.ts";
import type { ReportFile } from "./report-file.ts";

/** What an operator under development works with. */
export interface DevelopedOperatorOptions extends Pick<DevOptions, "data" | "project"> {
  /** The level of the operator's own log. */
  readonly level: DevOptions["log"];
  readonly session: ClusterSession;
  readonly target: Pick<DevTarget, "connection" | "kubeconfig">;
  readonly sources: ReloadableOperator;
  readonly webhookPort: number;
  readonly metricsPort: number;
  readonly log: DevLog;
  readonly reports: ReportFile;
  readonly terminal: Terminal;
}

const timeoutMs = 30_000;

/** How long the operator may take to end: a moment when the next one waits, somewhat longer in the end. */
const reloadMs = 100;
const stopMs = 2000;

/** What an operator was installed as, and what its process is told of it. */
interface Installed {
  readonly text: string;
  /** Of the operator's own account. */
  readonly kubeconfig: string;
  readonly flags: readonly string[];
  readonly namespace: string;
}

/** An operator on a cluster that is started anew again and again. */
export class DevelopedOperator implements AsyncDisposable {
  readonly #options: DevelopedOperatorOptions;
  /** One restart after the other. */
  #turn: Promise<void> = Promise.resolve();
  /** How many restarts were asked for: only the last of those that wait is done. */
  #asked = 0;
  #process: OperatorProcess | undefined;
  /** What the cluster was brought to last. */
  #installed: Installed | undefined;
  /** What was last said of what the cluster leaves undone. */
  #uncalled: string | undefined;
  #isOver = false;

  constructor(options: DevelopedOperatorOptions) {
    this.#options = options;
  }

  /** Ends the operator that runs, brings the cluster to what the sources say, and starts the new one. What is wrong with the sources is said, and waits for the next time. */
  async restart(): Promise<void> {
    const turn = ++this.#asked;
    const before = this.#turn;
    this.#turn = before.then(() => (turn === this.#asked && !this.#isOver ? this.#restart() : undefined));
    await this.#turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#turn;
    await this.#end(stopMs);
  }

  async #restart(): Promise<void> {
    const { session, sources, log } = this.#options;
    const startMs = session.clock.monotonic();
    const ended = this.#end(reloadMs);
    try {
      const operator = await sources.load();
      await ended;
      this.#installed = await this.#install(operator);
      this.#tellUncalled(operator);
      this.#process = this.#spawn(this.#installed);
      log.operatorStarted(operator.name, session.clock.monotonic() - startMs);
    } catch (error) {
      await ended;
      if (session.signal.aborted) return;
      log.say(errorMessage(error));
    }
  }

  async #end(graceMs: number): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    await ending?.end(graceMs);
  }

  /** Brings definitions, roles and webhooks to what the operator declares, unless they are so, and returns how it reaches the cluster. */
  async #install(operator: OperatorDefinition): Promise<Installed> {
    const { session, target, data, webhookPort, terminal } = this.#options;
    const isOurs = target.kubeconfig !== undefined;
    const { name } = operator;
    const webhookAddress = `127.0.0.1:${webhookPort}`;
    // Another cluster cannot call this machine. Its definitions stay when this ends: they name the Service of the operator that is deployed.
    const webhookUrl = isOurs ? `https://${webhookAddress}` : undefined;
    const { crds, namespace, rbac, webhooks, manager } = operatorManifests(operator, { webhookUrl });
    const all = [...crds, ...namespace, ...rbac, ...(isOurs ? webhooks : [])];
    const text = JSON.stringify(all);
    if (this.#installed?.text === text) return this.#installed;
    if (!isOurs) await requireIdle(session, [...manager, ...webhooks]);
    const report = new ChangeReport({ out: changesOnly(terminal), err: (line) => terminal.err(line) }, "text");
    await applyObjects(session, crds, { operator: name, report });
    await waitUntil(session, { report, timeoutMs, look: () => lookAtDefinitions(session, crds) });
    await warnOfMisfits(session, operator, report);
    await applyObjects(session, all.slice(crds.length), { operator: name, report });
    if (isOurs) await removeObjects(session, await findLeftovers(session, name, all), { report, timeoutMs });
    const place = namespace[0]?.metadata.name ?? "default";
    const kubeconfig = await writeOperatorKubeconfig(session.client, target.connection, { folder: data, name, namespace: place });
    const flags = ["--kubeconfig", kubeconfig, "--webhook-address", webhookAddress];
    return { text, kubeconfig, flags: webhookUrl === undefined ? flags : [...flags, "--webhook-url", webhookUrl], namespace: place };
  }

  /** Says what another cluster leaves undone, whenever that is something else than before. */
  #tellUncalled(operator: OperatorDefinition): void {
    const { target, log } = this.#options;
    const uncalled = target.kubeconfig === undefined ? uncalledParts(operator) : undefined;
    if (uncalled !== undefined && uncalled !== this.#uncalled) log.say(uncalled);
    this.#uncalled = uncalled;
  }

  #spawn({ kubeconfig, flags, namespace }: Installed): OperatorProcess {
    const { project, session, log, reports, level, data, metricsPort } = this.#options;
    const here = ["--metrics-address", `127.0.0.1:${metricsPort}`, "--health-address", "0", "--log-format", "json", "--log-level", level];
    // As in its Deployment: where it runs is no choice of the shell's.
    const environment = {
      NODE_COMPILE_CACHE: join(data, "compiled"),
      POD_NAMESPACE: namespace,
      KUBECONFIG: kubeconfigsOf(kubeconfig, process.env),
    };
    return new OperatorProcess({ project, flags: [...flags, ...here], environment, log, reports, clock: session.clock });
  }
}

/** Two operators would be in each other's way, and webhooks of one that is not there refuse what they cannot judge. */
async function requireIdle(session: ClusterSession, deployed: readonly KubeObject[]): Promise<void> {
  for (const object of deployed) {
    const harm = harms.get(object.kind);
    if (harm === undefined) continue;
    const live = await readIfPresent(session, await servedResource(session, object), object);
    if (live !== undefined) throw new CommandError(`${objectName(object)} ${harm} on ${session.cluster} already; kaji undeploy removes it`);
  }
}

/** What a deployed operator does that would be in the way, by the kind that does it. */
const harms: ReadonlyMap<string, string> = new Map([
  ["Deployment", "runs the operator"],
  ["MutatingWebhookConfiguration", "has webhooks of the operator called"],
  ["ValidatingWebhookConfiguration", "has webhooks of the operator called"],
]);

/** What stays as it is is not worth a line. */
function changesOnly(terminal: Terminal): (text: string) => void {
  return (text) => {
    if (!text.startsWith("unchanged")) terminal.err(text);
  };
}
