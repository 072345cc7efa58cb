import type { Type } from "@kaji/cel";
import { admissionExpression } from "./admission-expression.ts";
import type { AdmissionExpression } from "./admission-expression.ts";
import { expressionEnvironment, variableType } from "./expression-scope.ts";
import type { ExpressionScope } from "./expression-scope.ts";
import { policyCriteria } from "./policy-criteria.ts";
import type { PolicyCriteria } from "./policy-criteria.ts";
import type {
  AuditAnnotation,
  FailurePolicy,
  ParamKind,
  PolicyTermsSpec,
  PolicyVariable,
  ValidatingPolicy,
  Validation,
} from "./validating-policy.ts";

/** When a policy is in force: what those that check and those that change have in common, ready to be matched. */
export interface PolicyTerms {
  readonly name: string;
  readonly failurePolicy: FailurePolicy;
  readonly paramKind: ParamKind | undefined;
  readonly criteria: PolicyCriteria;
  readonly conditions: readonly AdmissionExpression[];
  readonly variables: ReadonlyMap<string, AdmissionExpression>;
}

/** A policy that is ready to be matched and evaluated. */
export interface CompiledPolicy extends PolicyTerms {
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
  const { validations = [], auditAnnotations = [] } = spec;
  const { terms, scope } = compileTerms(metadata.name, spec);
  const environment = expressionEnvironment({ ...scope, hasAuthorizer: true });
  const forMessages = expressionEnvironment({ ...scope, hasAuthorizer: false });
  return {
    ...terms,
    validations,
    expressions: validations.map(({ expression }) => admissionExpression(expression, environment, "bool")),
    messages: validations.map(({ messageExpression = "" }) =>
      messageExpression === "" ? undefined : admissionExpression(messageExpression, forMessages, "string"),
    ),
    annotations: auditAnnotations,
    annotationValues: auditAnnotations.map(({ valueExpression }) => admissionExpression(valueExpression, environment, "string or null")),
  };
}

/** Compiles when a policy is in force; the scope is that of its other expressions. */
export function compileTerms(
  name: string,
  spec: PolicyTermsSpec,
): { readonly terms: PolicyTerms; readonly scope: Omit<ExpressionScope, "hasAuthorizer"> } {
  const { paramKind, matchConstraints, matchConditions = [], variables = [], failurePolicy = "Fail" } = spec;
  const hasParams = paramKind !== undefined;
  const { expressions, types } = compileVariables(variables, { hasParams });
  const scope = { hasParams, variables: types };
  const environment = expressionEnvironment({ ...scope, hasAuthorizer: true });
  const terms = {
    name,
    failurePolicy,
    paramKind,
    criteria: policyCriteria(matchConstraints),
    conditions: matchConditions.map(({ expression }) => admissionExpression(expression, environment, "bool")),
    variables: new Map(
      variables.flatMap(({ name: variable }, index) => (expressions[index] === undefined ? [] : [[variable, expressions[index]]])),
    ),
  };
  return { terms, scope };
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
