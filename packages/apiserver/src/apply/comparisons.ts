import { asStep } from "./failed-step.ts";
import { compare } from "./compare.ts";
import type { Comparison } from "./compare.ts";
import type { TypedValue, Versions } from "./typed-value.ts";

/** What a write changes, as each version sees it. */
export class Comparisons {
  readonly #before: TypedValue;
  readonly #after: TypedValue;
  readonly #versions: Versions;
  readonly #known = new Map<string, Comparison | undefined>();

  constructor(before: TypedValue, after: TypedValue, versions: Versions) {
    this.#before = before;
    this.#after = after;
    this.#versions = versions;
  }

  /** The differences at a version; undefined when there is no such version. */
  at(apiVersion: string): Comparison | undefined {
    if (!this.#known.has(apiVersion)) this.#known.set(apiVersion, this.#compareAt(apiVersion));
    return this.#known.get(apiVersion);
  }

  #compareAt(apiVersion: string): Comparison | undefined {
    const before = asStep("failed to convert old object", () => this.#versions.at(this.#before, apiVersion));
    const after = asStep("failed to convert new object", () => this.#versions.at(this.#after, apiVersion));
    if (before === undefined || after === undefined) return undefined;
    const comparison = compare(before.value, after.value, before.schema);
    const ignored = this.#versions.ignoredAt(apiVersion);
    if (ignored === undefined) return comparison;
    return {
      added: comparison.added.recursiveDifference(ignored),
      modified: comparison.modified.recursiveDifference(ignored),
      removed: comparison.removed.recursiveDifference(ignored),
    };
  }
}
