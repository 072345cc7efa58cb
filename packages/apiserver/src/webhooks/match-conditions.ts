import { joinMessages } from "@kaji/core/go";
import { admissionExpression } from "../policies/admission-expression.ts";
import type { AdmissionExpression } from "../policies/admission-expression.ts";
import { expressionEnvironment } from "../policies/expression-scope.ts";
import type { ExpressionRun } from "../policies/expression-run.ts";

/** A CEL expression that must hold for a write to be reviewed. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** Makes the conditions of a webhook ready to be evaluated. */
export function compileMatchConditions(conditions: readonly MatchCondition[]): readonly AdmissionExpression[] {
  return conditions.map(({ expression }) => admissionExpression(expression, environment, "bool"));
}

const environment = expressionEnvironment({ hasParams: false, hasAuthorizer: true });

/** What conditions came to together. */
export type MatchConditionOutcome =
  | { readonly type: "Matches" }
  | { readonly type: "Excluded" }
  | { readonly type: "Failed"; readonly message: string };

/** One condition that does not hold excludes the request, whatever the others came to; failures are as grave as the policy says. */
export function outcomeOf(run: ExpressionRun, failurePolicy: "Fail" | "Ignore"): MatchConditionOutcome {
  const isFalse = run.type === "Done" && run.outcomes.some((outcome) => outcome?.type === "Value" && outcome.value === false);
  if (isFalse) return { type: "Excluded" };
  const failures = failuresOf(run);
  if (failures.length === 0) return { type: "Matches" };
  if (failurePolicy === "Ignore") return { type: "Excluded" };
  return { type: "Failed", message: joinMessages(failures) };
}

function failuresOf(run: ExpressionRun): readonly string[] {
  if (run.type === "OutOfBudget") return [run.message];
  return run.outcomes.flatMap((outcome) => (outcome?.type === "Failed" ? [outcome.message] : []));
}
