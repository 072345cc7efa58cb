import type { Operation } from "../simulation/operation.ts";
import { htmlReport } from "../report/html-report.ts";
import { tellTest } from "../report/tell-test.ts";
import { exploredLine, formatFindings } from "../report/text-report.ts";
import type { Coverage, Explored } from "./coverage.ts";
import type { Finding } from "./finding.ts";
import { formatPlan } from "./plan-text.ts";

/** The operator did something wrong. */
export class CorrectnessError extends Error {
  override readonly name = "CorrectnessError";
  readonly findings: readonly Finding[];

  constructor(message: string, findings: readonly Finding[]) {
    super(message);
    this.findings = findings;
  }
}

/** What came of an exploration. */
export class Exploration implements Explored {
  readonly findings: readonly Finding[];
  readonly coverage: Coverage;
  readonly operations: readonly Operation[];
  /** What happened in the run that was replayed, or else in the one in which nothing goes wrong, as a digest: the same for the same seed, always and everywhere. */
  readonly traceHash: string;

  constructor(findings: readonly Finding[], coverage: Coverage, operations: readonly Operation[], traceHash: string) {
    this.findings = findings;
    this.coverage = coverage;
    this.operations = operations;
    this.traceHash = traceHash;
  }

  /** The report, for people. */
  get report(): string {
    return formatFindings(this);
  }

  /** The report as a page of its own, for a browser. */
  get html(): string {
    return htmlReport(this);
  }

  /** The report, for programs. */
  toJSON(): object {
    return {
      findings: this.findings.map(({ violation, plan, foundIn, shrinkingRuns, repeats, isReproducible }) => ({
        ...violation,
        faults: plan.faults,
        operations: plan.ops.map((op) => this.operations[op]?.text),
        foundIn,
        shrinkingRuns,
        repeats,
        isReproducible,
        replay: formatPlan(plan),
      })),
      coverage: this.coverage,
      traceHash: this.traceHash,
    };
  }

  /** Throws a `CorrectnessError` with the report if anything was found. Otherwise a test runner shows in a line what was explored. */
  expectNoViolations(): void {
    if (this.findings.length > 0) throw new CorrectnessError(this.report, this.findings);
    tellTest([exploredLine(this.coverage), ...this.coverage.unstruck, ...this.coverage.idleMasks].join("\n"));
  }
}
