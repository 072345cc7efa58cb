import { errorMessage, isJsonArray, isJsonObject, jsonOf } from "@kaji/core";
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
import type { Doomed } from "../deploy/remove-objects.ts";
import { outsideOf } from "../deploy/outside-service.ts";
import { waitUntil } from "../deploy/wait-until.ts";
import { takenNames } from "../manifests/taken-names.ts";
import type { Project } from "../project/project.ts";
import type { DevLog } from "./dev-log.ts";
import { bringResources } from "./dev-resources.ts";
import type { DevTarget } from "./dev-target.ts";
import { writeOperatorKubeconfig } from "./operator-access.ts";
import type { WebhookReach } from "./webhook-reach.ts";

/** What an operator under development is installed with. */
export interface DevInstallationOptions {
  readonly project: Project;
  /** What the project has the cluster start with: all that its files have now. */
  readonly resources: () => readonly KubeObject[];
  readonly session: ClusterSession;
  readonly target: Pick<DevTarget, "connection" | "kubeconfig">;
  /** Where the operator's kubeconfig is written. */
  readonly data: string;
  readonly webhookReach: WebhookReach;
  readonly log: DevLog;
  readonly terminal: Terminal;
}

/** What an operator was installed as, and what its process is told of it. */
export interface Installed {
  readonly text: string;
  /** Of the operator's own account. */
  readonly kubeconfig: string;
  readonly flags: readonly string[];
  readonly namespace: string;
}

const timeoutMs = 30_000;
/** How long a cluster may take to let go of this machine. */
const withdrawMs = 10_000;

/** What the cluster has of an operator under development: definitions, roles and, where it can call them, webhooks. */
export class DevInstallation {
  readonly #options: DevInstallationOptions;
  readonly #report: ChangeReport;
  /** Whether the cluster is there for this alone. */
  readonly #isOwn: boolean;
  /** What the cluster was brought to last. */
  #installed: Installed | undefined;
  /** What the cluster was last given of what the project has it start with. */
  #resources: string | undefined;
  /** Of whom the cluster has anything, be it half of it. */
  #operator: OperatorDefinition | undefined;
  /** The names of the definitions that it was last brought, or is to be. */
  #definitions: ReadonlySet<string> = new Set();

  constructor(options: DevInstallationOptions) {
    const { target, terminal } = options;
    this.#options = options;
    this.#isOwn = target.kubeconfig !== undefined;
    this.#report = new ChangeReport({ out: changesOnly(terminal), err: (line) => terminal.err(line) }, "text");
  }

  /** Brings the cluster to what the operator declares, unless it is so, and returns how the operator reaches it. */
  async bring(operator: OperatorDefinition): Promise<Installed> {
    const { session, target, data, webhookReach } = this.#options;
    const { url: webhookUrl, address } = webhookReach;
    const { name } = operator;
    await this.#bringResources(name);
    // A cluster that cannot call this machine has its definitions name the Service of the operator that is deployed.
    const { crds, namespace, rbac, others, webhooks, manager } = operatorManifests(operator, { webhookUrl });
    // A Service leads to Pods, and the operator is none here: an API behind it would be of nobody.
    const used = others.filter(({ kind }) => kind !== "APIService");
    const all = [...crds, ...namespace, ...rbac, ...used, ...(webhookUrl === undefined ? [] : webhooks)];
    const text = JSON.stringify(all);
    if (this.#installed?.text === text && (await this.#isThere(all))) return this.#installed;
    // Until all is done: what is brought half way is no longer what was there.
    this.#installed = undefined;
    if (!this.#isOwn) await this.#requireIdle([...manager, ...webhooks]);
    this.#operator = operator;
    this.#definitions = new Set(crds.map(({ metadata }) => metadata.name));
    const report = this.#report;
    await applyObjects(session, crds, { operator: name, report });
    await waitUntil(session, { report, timeoutMs, look: () => lookAtDefinitions(session, crds) });
    for (const line of takenNames(operator)) report.progress(`warning: ${line}`);
    await warnOfMisfits(session, operator, report);
    await applyObjects(session, all.slice(crds.length), { operator: name, report });
    await removeObjects(session, await this.#leftovers(session, name, all), { report, timeoutMs });
    const place = namespace[0]?.metadata.name ?? "default";
    const kubeconfig = await writeOperatorKubeconfig(session.client, target.connection, { folder: data, name, namespace: place });
    const flags = ["--kubeconfig", kubeconfig, "--webhook-address", address];
    const called = webhookUrl === undefined ? [] : ["--webhook-url", webhookUrl];
    this.#installed = { text, kubeconfig, flags: [...flags, ...called], namespace: place };
    return this.#installed;
  }

  /** Whether a definition is one of the operator's. */
  brings(definition: string): boolean {
    return this.#definitions.has(definition);
  }

  /** Whether nobody has removed what was brought. */
  async #isThere(objects: readonly KubeObject[]): Promise<boolean> {
    const { session } = this.#options;
    const found = await Promise.all(objects.map(async (object) => readIfPresent(session, await servedResource(session, object), object)));
    return found.every((object) => object !== undefined);
  }

  /** What the project has the cluster start with, whenever that is something else than before. */
  async #bringResources(operator: string): Promise<void> {
    const { session, resources } = this.#options;
    const objects = resources();
    const text = JSON.stringify(objects);
    if (this.#resources === text) return;
    await bringResources(session, objects, { operator, report: this.#report });
    this.#resources = text;
  }

  /** Has another cluster no longer call this machine: it would refuse what it can no longer ask about. */
  async withdraw(): Promise<void> {
    const { webhookReach, log } = this.#options;
    const operator = this.#operator;
    if (operator === undefined || this.#isOwn || webhookReach.url === undefined) return;
    const late = new AbortController();
    // That of a command is aborted by then.
    const session = { ...this.#options.session, signal: late.signal };
    using _timer = session.clock.timer(withdrawMs, () => late.abort(new CommandError(`no answer within ${withdrawMs / 1000} s`)));
    const report = this.#report;
    try {
      await removeObjects(session, await this.#leftovers(session, operator.name, []), { report, timeoutMs: 0 });
      if (operator.conversions.length > 0)
        await applyObjects(session, operatorManifests(operator).crds, { operator: operator.name, report });
    } catch (error) {
      log.say(
        `${session.cluster} still calls this machine, and refuses what its webhooks would be asked about: ${errorMessage(error)}; kaji undeploy removes them`,
      );
    }
  }

  /** What is no longer wanted: of another cluster only what has it call this machine. */
  async #leftovers(session: ClusterSession, operator: string, wanted: readonly KubeObject[]): Promise<readonly Doomed[]> {
    if (!this.#isOwn && this.#options.webhookReach.url === undefined) return [];
    const leftovers = await findLeftovers(session, operator, wanted);
    if (this.#isOwn) return leftovers;
    const calling = await Promise.all(leftovers.map(({ live }) => callsMachine(session, live)));
    return leftovers.filter((_, index) => calling[index]);
  }

  /** Two operators would be in each other's way, and webhooks of one that is not there refuse what they cannot judge. */
  async #requireIdle(deployed: readonly KubeObject[]): Promise<void> {
    const { session, webhookReach } = this.#options;
    for (const object of deployed) {
      const harm = harms.get(object.kind);
      if (harm === undefined) continue;
      const live = await readIfPresent(session, await servedResource(session, object), object);
      // Those that call a machine are of a run of this that could not end them, and become ours.
      if (live === undefined || (webhookReach.url !== undefined && (await callsMachine(session, live)))) continue;
      throw new CommandError(`${objectName(object)} ${harm} on ${session.cluster} already; kaji undeploy removes it`);
    }
  }
}

/** What a deployed operator does that would be in the way, by the kind that does it. */
const harms: ReadonlyMap<string, string> = new Map([
  ["Deployment", "runs the operator"],
  ["MutatingWebhookConfiguration", "has webhooks of the operator called"],
  ["ValidatingWebhookConfiguration", "has webhooks of the operator called"],
  ["APIService", "has APIs of the operator asked for"],
]);

/** Whether an object has a machine called, and not the Service of an operator that is deployed. */
async function callsMachine(session: ClusterSession, object: KubeObject): Promise<boolean> {
  const { webhooks, spec } = jsonOf(object);
  if (object.kind === "APIService") return (await outsideOf(session, object)) !== undefined;
  if (object.kind === "Service") return isJsonObject(spec) && spec["type"] === "ExternalName";
  return (
    isJsonArray(webhooks) &&
    webhooks.some((each) => isJsonObject(each) && isJsonObject(each["clientConfig"]) && "url" in each["clientConfig"])
  );
}

/** What stays as it is is not worth a line. */
function changesOnly(terminal: Terminal): (text: string) => void {
  return (text) => {
    if (!text.startsWith("unchanged")) terminal.err(text);
  };
}
