import { join } from "node:path";
import { TransportError } from "@kaji/client";
import { errorMessage, sleepUnlessAborted } from "@kaji/core";
import type { Resource } from "@kaji/core";
import type { OperatorDefinition } from "@kaji/runtime";
import { explained } from "../cluster-session.ts";
import { CommandError } from "../command.ts";
import type { ReloadableOperator } from "../project/reloadable.ts";
import type { DevOptions } from "./dev-options.ts";
import { DevInstallation } from "./dev-installation.ts";
import type { DevInstallationOptions, Installed } from "./dev-installation.ts";
import { kubeconfigsOf } from "./operator-access.ts";
import { missingKinds, namesOf, neededKinds } from "./missing-kinds.ts";
import { OperatorProcess } from "./operator-process.ts";
import { uncalledParts } from "./uncalled-parts.ts";
import type { ReportFile } from "./report-file.ts";

/** What an operator under development works with. */
export interface DevelopedOperatorOptions extends DevInstallationOptions {
  /** The level of the operator's own log. */
  readonly level: DevOptions["log"];
  readonly sources: ReloadableOperator;
  readonly metricsPort: number;
  readonly reports: ReportFile;
}

/** How long the operator may take to end: a moment when the next one waits, somewhat longer in the end. */
const reloadMs = 100;
const stopMs = 2000;
/** How often it is looked whether the cluster serves by now what the operator lacks. */
const lookMs = 1000;

/** An operator on a cluster that is started anew again and again. */
export class DevelopedOperator implements AsyncDisposable {
  readonly #options: DevelopedOperatorOptions;
  readonly #installation: DevInstallation;
  /** One restart after the other. */
  #turn: Promise<void> = Promise.resolve();
  /** How many restarts were asked for: only the last of those that wait is done. */
  #asked = 0;
  #process: OperatorProcess | undefined;
  /** What was last said of what the cluster leaves undone. */
  #uncalled: string | undefined;
  #isOver = false;

  constructor(options: DevelopedOperatorOptions) {
    this.#options = options;
    this.#installation = new DevInstallation(options);
  }

  /** Ends the operator that runs, brings the cluster to what the sources say, and starts the new one. What is wrong with the sources is said, and waits for the next time. */
  async restart(): Promise<void> {
    const turn = ++this.#asked;
    const before = this.#turn;
    this.#turn = before.then(() => (turn === this.#asked && !this.#isOver ? this.#restart() : undefined));
    await this.#turn;
  }

  /** Puts back a definition of the operator's own that somebody has removed; or puts there at last what could not be while the old one was. */
  async definitionRemoved(name: string): Promise<void> {
    if (!this.#installation.brings(name)) return;
    this.#options.log.say(`CustomResourceDefinition ${name} was deleted`);
    await this.restart();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#turn;
    await Promise.all([this.#end(stopMs), this.#installation.withdraw()]);
  }

  async #restart(): Promise<void> {
    const { session, sources, log } = this.#options;
    const startMs = session.clock.monotonic();
    const ended = this.#end(reloadMs);
    try {
      const operator = await sources.load();
      await ended;
      const installed = await this.#bring(operator);
      if (installed === undefined) return;
      this.#tellUncalled(operator);
      this.#process = this.#spawn(installed, (how) => void this.#endedByItself(operator, how));
      log.operatorStarted(operator.name, session.clock.monotonic() - startMs);
    } catch (error) {
      await ended;
      if (session.signal.aborted) return;
      log.say(errorMessage(error));
    }
  }

  /** Brings the cluster to what the operator declares. Where that cannot be, it says why and what the operator is started by: undefined. */
  async #bring(operator: OperatorDefinition): Promise<Installed | undefined> {
    const { session, log } = this.#options;
    try {
      return await this.#installation.bring(operator);
    } catch (error) {
      if (session.signal.aborted) return undefined;
      const isAway = error instanceof TransportError;
      const next = `the operator is started ${isAway ? "when it answers, or a source is saved" : "when a source is saved"}`;
      const text = errorMessage(explained(error, session.cluster));
      // One of ours says itself what helps, which may be something else.
      log.say(error instanceof CommandError ? text : `${text}; ${next}`);
      if (isAway) void this.#startOnceAnswered();
      return undefined;
    }
  }

  /** Starts it when the cluster answers again, unless something else asks for that before. */
  async #startOnceAnswered(): Promise<void> {
    const { client, clock, signal } = this.#options.session;
    const asked = this.#asked;
    const isWaiting = (): boolean => asked === this.#asked && !this.#isOver && !signal.aborted;
    for (let answers = false; !answers;) {
      await sleepUnlessAborted(clock, lookMs, signal);
      if (!isWaiting()) return;
      answers = await client.discovery.version(signal).then(
        () => true,
        (error: unknown) => !(error instanceof TransportError),
      );
    }
    if (isWaiting()) await this.restart();
  }

  /** Says what starts it again: a change of its sources or, where that is why it ended, a kind that the cluster comes to serve. */
  async #endedByItself(operator: OperatorDefinition, how: string): Promise<void> {
    const { session, log, target } = this.#options;
    const ended = this.#process;
    const isWaiting = (): boolean => this.#process === ended && !this.#isOver && !session.signal.aborted;
    // A cluster that does not answer now may do so later.
    const look = (kinds: readonly Resource[]): Promise<readonly Resource[] | undefined> =>
      missingKinds(session, kinds).catch(() => undefined);
    const missing = (await look(neededKinds(operator))) ?? [];
    if (!isWaiting()) return;
    const text = `the operator ended by itself (${how}); it is started again when a source is saved`;
    if (missing.length === 0) return log.say(text);
    log.say(`${text}, or the cluster serves ${namesOf(missing)}: ${remedyFor(target)}`);
    do {
      await sleepUnlessAborted(session.clock, lookMs, session.signal);
      if (!isWaiting()) return;
    } while ((await look(missing))?.length !== 0);
    if (!isWaiting()) return;
    log.say(`the cluster serves ${namesOf(missing)} now`);
    await this.restart();
  }

  async #end(graceMs: number): Promise<void> {
    const ending = this.#process;
    this.#process = undefined;
    await ending?.end(graceMs);
  }

  /** Says what a cluster that cannot call leaves undone, whenever that is something else than before. */
  #tellUncalled(operator: OperatorDefinition): void {
    const { webhookReach, log } = this.#options;
    const uncalled = webhookReach.url === undefined ? uncalledParts(operator) : undefined;
    if (uncalled !== undefined && uncalled !== this.#uncalled) log.say(uncalled);
    this.#uncalled = uncalled;
  }

  #spawn({ kubeconfig, flags, namespace }: Installed, onEnd: (how: string) => void): OperatorProcess {
    const { project, session, log, reports, level, data, metricsPort } = this.#options;
    const here = ["--metrics-address", `127.0.0.1:${metricsPort}`, "--health-address", "0", "--log-format", "json", "--log-level", level];
    // As in its Deployment: where it runs is no choice of the shell's.
    const environment = {
      NODE_COMPILE_CACHE: join(data, "compiled"),
      POD_NAMESPACE: namespace,
      KUBECONFIG: kubeconfigsOf(kubeconfig, process.env),
    };
    return new OperatorProcess({ project, flags: [...flags, ...here], environment, log, reports, clock: session.clock, onEnd });
  }
}

/** How a cluster comes to serve a kind of others. */
function remedyFor({ kubeconfig }: DevelopedOperatorOptions["target"]): string {
  const byHand = "kubectl apply -f its CustomResourceDefinition";
  return kubeconfig === undefined
    ? byHand
    : `name the file with its CustomResourceDefinition in package.json, as in "kaji": { "dev": { "resources": ["crds.yaml"] } }; or ${byHand}`;
}
