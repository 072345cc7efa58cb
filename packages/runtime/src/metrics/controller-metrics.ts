import { Counter, Gauge, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { ControllerObserver } from "../controller/controller-observer.ts";
import type { ControllerLoad } from "../controller/running-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import type { CountedOutcome } from "../reconcile/reconcile-outcome.ts";

/** How outcomes are called in `controller_runtime_reconcile_total`. A conflict is run again at once, as a requeue is. */
const resultOf: Readonly<Record<CountedOutcome, string>> = {
  Done: "success",
  Requeue: "requeue",
  RecheckAfter: "requeue_after",
  RequeueAfter: "requeue_after",
  Conflict: "requeue",
  NamespaceEnding: "requeue",
  Error: "error",
  TerminalError: "error",
  Timeout: "error",
};

/** As in controller-runtime. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5,
  5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** As in client-go: from 10 ns to 1000 s. */
const queueBuckets = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));

/** A controller that runs, as far as it is measured. */
export interface MeasuredController {
  readonly controller: Pick<Controller, "name" | "concurrency">;
  readonly load: ControllerLoad;
}

/** The series of one controller, found once. */
interface ControllerSeries {
  readonly adds: Counter.Internal;
  readonly retries: Counter.Internal;
  readonly queueSeconds: Histogram.Internal<never>;
  readonly workSeconds: Histogram.Internal<never>;
  readonly reconcileSeconds: Histogram.Internal<never>;
  readonly totals: Readonly<Record<string, Counter.Internal>>;
  readonly errors: Counter.Internal;
  readonly terminalErrors: Counter.Internal;
  readonly timeouts: Counter.Internal;
  readonly panics: Counter.Internal;
}

/** What controllers and their queues do. */
export class ControllerMetrics implements ControllerObserver {
  readonly #running = new Set<MeasuredController>();
  readonly #series = new Map<string, ControllerSeries>();
  readonly #newSeries: (controller: string) => ControllerSeries;

  constructor(registry: Registry) {
    this.#newSeries = createSeries(registry);
    this.#gauge(
      registry,
      "controller_runtime_max_concurrent_reconciles",
      "How many objects are reconciled at once, at most.",
      ["controller"],
      ({ controller }) => controller.concurrency,
    );
    this.#gauge(
      registry,
      "controller_runtime_active_workers",
      "How many objects are being reconciled.",
      ["controller"],
      ({ load }) => load.inFlight,
    );
    this.#depth(registry);
    this.#gauge(
      registry,
      "workqueue_unfinished_work_seconds",
      "How long all reconciles under way have taken until now, together.",
      queueLabels,
      ({ load }) => seconds(load.workedMs.reduce((sum, each) => sum + each, 0)),
    );
    this.#gauge(
      registry,
      "workqueue_longest_running_processor_seconds",
      "How long the longest reconcile under way has taken until now.",
      queueLabels,
      ({ load }) => seconds(Math.max(0, ...load.workedMs)),
    );
    this.#gauge(
      registry,
      "kaji_failing_objects",
      "How many objects there are whose last reconcile failed.",
      ["controller"],
      ({ load }) => load.failing,
    );
  }

  /** Measures a controller for as long as it runs. */
  track(running: MeasuredController): Disposable {
    this.#running.add(running);
    // Its series are there from the beginning, so that a rate over them is right from the first error on.
    this.#of(running.controller.name);
    return { [Symbol.dispose]: () => void this.#running.delete(running) };
  }

  keyAdded(controller: string): void {
    this.#of(controller).adds.inc();
  }

  keyTaken(controller: string, waitedMs: number): void {
    this.#of(controller).queueSeconds.observe(seconds(waitedMs));
  }

  keyDone(controller: string, workedMs: number): void {
    this.#of(controller).workSeconds.observe(seconds(workedMs));
  }

  keyRetried(controller: string): void {
    this.#of(controller).retries.inc();
  }

  reconciled(controller: string, outcome: CountedOutcome, durationMs: number): void {
    const series = this.#of(controller);
    series.totals[resultOf[outcome]]?.inc();
    series.reconcileSeconds.observe(seconds(durationMs));
    if (resultOf[outcome] === "error") series.errors.inc();
    if (outcome === "TerminalError") series.terminalErrors.inc();
    if (outcome === "Timeout") series.timeouts.inc();
  }

  panicked(controller: string): void {
    this.#of(controller).panics.inc();
  }

  #of(controller: string): ControllerSeries {
    let series = this.#series.get(controller);
    if (series === undefined) this.#series.set(controller, (series = this.#newSeries(controller)));
    return series;
  }

  /** The queue depth by priority, as in controller-runtime. */
  #depth(registry: Registry): void {
    const running = this.#running;
    const gauge: Gauge = new Gauge({
      name: "workqueue_depth",
      help: "How many keys wait, by their priority.",
      labelNames: [...queueLabels, "priority"],
      registers: [registry],
      collect() {
        gauge.reset();
        for (const { controller, load } of running) {
          // The default priority has a series from the start, with depth 0, though no key has waited yet.
          for (const [priority, size] of new Map([[0, 0], ...load.queuedBy]))
            gauge.set({ ...labelsOf(controller.name, queueLabels), priority: String(priority) }, size);
        }
      },
    });
  }

  #gauge(
    registry: Registry,
    name: string,
    help: string,
    labelNames: readonly string[],
    read: (running: MeasuredController) => number,
  ): void {
    const running = this.#running;
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        gauge.reset();
        for (const each of running) gauge.set(labelsOf(each.controller.name, labelNames), read(each));
      },
    });
  }
}

/** Both labels have the name of the controller, as in controller-runtime. */
const queueLabels = ["name", "controller"];

function createSeries(registry: Registry): (controller: string) => ControllerSeries {
  const registers = [registry];
  const own = ["controller"];
  const counter = (name: string, help: string, labelNames: string[]): Counter => new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]): Histogram =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const adds = counter("workqueue_adds_total", "Keys that were added.", queueLabels);
  const retries = counter("workqueue_retries_total", "Keys that were to be tried again.", queueLabels);
  const queueSeconds = histogram("workqueue_queue_duration_seconds", "How long keys waited for a worker.", queueLabels, queueBuckets);
  const workSeconds = histogram("workqueue_work_duration_seconds", "How long a worker held a key.", queueLabels, queueBuckets);
  const reconcileSeconds = histogram("controller_runtime_reconcile_time_seconds", "How long reconciles took.", own, reconcileBuckets);
  const total = counter("controller_runtime_reconcile_total", "Reconciles by how they ended.", ["controller", "result"]);
  const errors = counter("controller_runtime_reconcile_errors_total", "Reconciles that failed.", own);
  const terminalErrors = counter(
    "controller_runtime_terminal_reconcile_errors_total",
    "Reconciles that failed with a terminal error.",
    own,
  );
  const timeouts = counter("controller_runtime_reconcile_timeouts_total", "Reconciles that took too long.", own);
  const panics = counter("controller_runtime_reconcile_panics_total", "Failures outside of what reconciles waited for.", own);
  return (controller) => {
    const queue = { name: controller, controller };
    const results = [...new Set(Object.values(resultOf))];
    const series: ControllerSeries = {
      adds: adds.labels(queue),
      retries: retries.labels(queue),
      queueSeconds: queueSeconds.labels(queue),
      workSeconds: workSeconds.labels(queue),
      reconcileSeconds: reconcileSeconds.labels({ controller }),
      totals: Object.fromEntries(results.map((result) => [result, total.labels({ controller, result })])),
      errors: errors.labels({ controller }),
      terminalErrors: terminalErrors.labels({ controller }),
      timeouts: timeouts.labels({ controller }),
      panics: panics.labels({ controller }),
    };
    const { adds: added, retries: retried, totals, errors: failed, terminalErrors: ended, timeouts: late, panics: lost } = series;
    for (const each of [added, retried, failed, ended, late, lost, ...Object.values(totals)]) each.inc(0);
    return series;
  };
}

function labelsOf(controller: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, controller]));
}

function seconds(ms: number): number {
  return ms / 1000;
}
