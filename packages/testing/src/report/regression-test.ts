import type { Finding } from "../exploration/finding.ts";
import { formatPlan } from "../exploration/plan-text.ts";

/** Where the test of a finding is to look for what it needs. */
export interface RegressionTestOptions {
  /** The module that exports the `options` of the exploration, as the test is to import it. */
  readonly module: string;
  /** Default `@kaji/testing`. */
  readonly testing?: string;
}

/** The source of a test that plays just the scenario of a finding, and fails for as long as anything is wrong in it. */
export function regressionTest({ violation, plan }: Finding, { module, testing = "@kaji/testing" }: RegressionTestOptions): string {
  const title = `${violation.oracle}: ${violation.message}`;
  return `import { test } from "node:test";
import { replay } from ${JSON.stringify(testing)};
import { options } from ${JSON.stringify(module)};

test(${JSON.stringify(title)}, async () => {
  const exploration = await replay(options, ${JSON.stringify(formatPlan(plan))});
  exploration.expectNoViolations();
});
`;
}
