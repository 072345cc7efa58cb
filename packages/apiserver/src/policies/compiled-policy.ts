import type { Type } from "@kaji/cel";
import { admissionExpression } from "./admission-expression.ts";
import type { AdmissionExpression } from "./admission-expression.ts";
import { expressionEnvironment, variableType } from "./expression-scope.ts";
import type { ExpressionScope } from "./expression-scope.ts";
import { policyCriteria } from "./policy-criteria.ts";
import type { PolicyCriteria } from "./policy-criteria.ts";
import type { AuditAnnotation, FailurePolicy, ParamKind, PolicyVariable, ValidatingPolicy, Validation } from "./validating-policy.ts";

/** A policy that is ready to be matched and evaluated. */
export interface CompiledPolicy {
  readonly name: string;
  readonly failurePolicy: FailurePolicy;
  readonly paramKind: ParamKind | undefined;
  readonly criteria: PolicyCriteria;
  readonly conditions: readonly AdmissionExpression[];
  readonly variables: ReadonlyMap<string, AdmissionExpression>;
  readonly validations: readonly Validation[];
  /** Each for the validation at its place. */
  readonly expressions: readonly AdmissionExpression[];
  /** Each for the validation at its place; undefined where there is none. */
  readonly messages: readonly (AdmissionExpression | undefined)[];
  readonly annotations: readonly AuditAnnotation[];
  /** Each for the annotation at its place. */
  readonly annotationValues: readonly AdmissionExpression[];
}

/** Compiles all expressions of a policy. One that is faulty fails when it is evaluated. */
export function compilePolicy({ metadata, spec }: ValidatingPolicy): CompiledPolicy {
  const { paramKind, matchConstraints, matchConditions = [], validations = [], auditAnnotations = [], failurePolicy = "Fail" } = spec;
  const hasParams = paramKind !== undefined;
  const { variables = [] } = spec;
  const { expressions, types } = compileVariables(variables, { hasParams });
  const environment = expressionEnvironment({ hasParams, hasAuthorizer: true, variables: types });
  const forMessages = expressionEnvironment({ hasParams, hasAuthorizer: false, variables: types });
  return {
    name: metadata.name,
    failurePolicy,
    paramKind,
    criteria: policyCriteria(matchConstraints),
    conditions: matchConditions.map(({ expression }) => admissionExpression(expression, environment, "bool")),
    variables: new Map(variables.flatMap(({ name }, index) => (expressions[index] === undefined ? [] : [[name, expressions[index]]]))),
    validations,
    expressions: validations.map(({ expression }) => admissionExpression(expression, environment, "bool")),
    messages: validations.map(({ messageExpression = "" }) =>
      messageExpression === "" ? undefined : admissionExpression(messageExpression, forMessages, "string"),
    ),
    annotations: auditAnnotations,
    annotationValues: auditAnnotations.map(({ valueExpression }) => admissionExpression(valueExpression, environment, "string or null")),
  };
}

/** Compiles variables in turn: each knows the types of those before it. */
export function compileVariables(
  variables: readonly PolicyVariable[],
  scope: Omit<ExpressionScope, "hasAuthorizer" | "variables">,
): { readonly expressions: readonly AdmissionExpression[]; readonly types: ReadonlyMap<string, Type> } {
  const types = new Map<string, Type>();
  const expressions = variables.map(({ name, expression: text }) => {
    const environment = expressionEnvironment({ ...scope, hasAuthorizer: true, variables: types });
    const expression = admissionExpression(text, environment, "anything");
    types.set(name, variableType(expression.type === "Compiled" ? expression.program.type : undefined));
    return expression;
  });
  return { expressions, types };
}
