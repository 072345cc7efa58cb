import type { KubeClient } from "@kaji/client";
import { messageWithCauses } from "@kaji/core";
import type { Controller, CountedOutcome, ReconcileEnd } from "@kaji/runtime";
import { callSite } from "./call-site.ts";
import type { ReconcileListener } from "./reconcile-observer.ts";
import { stillThere } from "./still-there.ts";
import type { Reconciled } from "./still-there.ts";
import { showSuppressedErrors } from "./suppressed-errors.ts";

/** Reconciles failed, no later one succeeded, and the test did not look at `cluster.errors`. */
export class FailedReconcilesError extends Error {
  override readonly name = "FailedReconcilesError";
}

interface Failure extends Reconciled {
  readonly message: string;
}

const failed: ReadonlySet<CountedOutcome> = new Set(["Error", "TerminalError", "Timeout"]);
const passing: ReadonlySet<CountedOutcome> = new Set(["Conflict", "NamespaceEnding"]);

/** The objects whose last reconcile failed, as far as the test has not been told. */
export class ReconcileFailures implements ReconcileListener {
  readonly #untold = new Map<string, Failure>();

  /** What passes by itself says nothing: it is reconciled again. */
  reconciled(controller: string, outcome: CountedOutcome, _durationMs: number, { key, error }: ReconcileEnd): void {
    const id = `${controller} ${key}`;
    if (failed.has(outcome)) this.#untold.set(id, { controller, key, message: error === undefined ? outcome : messageAndPlace(error) });
    else if (!passing.has(outcome)) this.#untold.delete(id);
  }

  /** The test knows of all that has failed so far. */
  told(): void {
    this.#untold.clear();
  }

  /** Throws a `FailedReconcilesError` if there is a failure that was not told of, of an object that is still there. */
  async check(client: KubeClient, controllers: readonly Controller[]): Promise<void> {
    const failures = await stillThere(this.#untold.values(), client, controllers);
    const lines = failures.map(({ controller, key, message }) => `  ${controller} ${key}: ${message}`);
    if (lines.length === 0) return;
    showSuppressedErrors();
    const count = lines.length === 1 ? "the last reconcile of an object" : `the last reconciles of ${lines.length} objects`;
    throw new FailedReconcilesError(`${count} failed, and the test did not look at cluster.errors:\n${lines.join("\n")}`);
  }
}

function messageAndPlace(error: Error): string {
  const site = callSite(error, [import.meta.url]);
  return site === undefined ? messageWithCauses(error) : `${messageWithCauses(error)}\n    ${site}`;
}
