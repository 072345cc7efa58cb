import type { Finding } from "./finding.ts";
import { keyOf } from "./oracles.ts";
import { formatPlan } from "./plan-text.ts";
import type { Violation } from "./violation.ts";

/** What an exploration has found so far: each cause once. */
export class Findings {
  /** By what is violated; several violations may have one cause. */
  readonly #known = new Map<string, Finding>();

  /** Each cause once, in the order in which they were found. */
  get all(): readonly Finding[] {
    return [...new Set(this.#known.values())];
  }

  /** Counts one more plan in which something is violated that was found before; false if it was not. */
  repeat(violation: Violation): boolean {
    const known = this.#known.get(keyOf(violation));
    if (known !== undefined) known.repeats++;
    return known !== undefined;
  }

  /** Adds what was found; where it comes of the very scenario that showed something else, both have one cause. */
  add(finding: Finding): void {
    const { plan, violation } = finding;
    const same = plan.faults.length === 0 ? undefined : this.all.find((each) => formatPlan(each.plan) === formatPlan(plan));
    if (same !== undefined) same.repeats++;
    this.#known.set(keyOf(violation), same ?? finding);
  }
}
