import { admissionExpression, expressionEnvironment } from "@kaji/apiserver";
import type { AdmissionExpression, ExpressionResult, ExpressionScope } from "@kaji/apiserver";
import { invalidValue } from "@kaji/core";
import type { FieldError, FieldPath } from "@kaji/core";

/** What is wrong with an expression that is not blank. Refusals show it as it was written. */
export function validateExpression(
  text: string,
  scope: ExpressionScope,
  result: ExpressionResult,
  at: FieldPath,
  written: string = text,
): readonly FieldError[] {
  return faultOf(admissionExpression(text, expressionEnvironment(scope), result), at, written);
}

/** What is wrong with an expression that was compiled, as the server says it. */
export function faultOf(expression: AdmissionExpression, at: FieldPath, written: string = expression.text): readonly FieldError[] {
  if (expression.type === "Compiled") return [];
  const { problem, isInternal } = expression;
  if (isInternal) return [{ type: "InternalError", field: at.toString(), body: `Internal error: ${problem}` }];
  return [invalidValue(at, written, problem)];
}
