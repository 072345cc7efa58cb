import { compile } from "@kaji/cel";
import type { Environment, Type } from "@kaji/cel";
import { formatApiVersion, parseApiVersion } from "@kaji/core";
import type { GroupVersionKind, JsonObject, KubeObject } from "@kaji/core";
import { compareGoStrings, formatGoKind } from "@kaji/core/go";
import type { Rule } from "../webhooks/rule.ts";
import { compileVariables } from "./compiled-policy.ts";
import { expressionEnvironment } from "./expression-scope.ts";
import type { ExpressionScope } from "./expression-scope.ts";
import { publishedType } from "./published-type.ts";
import type { ValidatingPolicy } from "./validating-policy.ts";

/** What is doubtful about an expression of a policy, given the kinds that it is about. */
export interface ExpressionWarning {
  /** The path of the expression in the policy. */
  readonly fieldRef: string;
  readonly warning: string;
}

/** Finds the OpenAPI v3 document of a group version; undefined when there is none. */
export type FindDocument = (apiVersion: string) => Promise<JsonObject | undefined>;

/** Of each rule, no more kinds than these are looked at. */
const mostKinds = 10;

/** Checks the validations of a `ValidatingAdmissionPolicy` that a server has accepted against the types of the objects that its rules name, and of its parameters. */
export async function checkPolicyTypes(
  policy: KubeObject,
  served: readonly ServedKind[],
  documentOf: FindDocument,
): Promise<readonly ExpressionWarning[]> {
  const typeOf = async (kind: GroupVersionKind): Promise<Type | undefined> => {
    const document = await documentOf(formatApiVersion(kind));
    return document && publishedType(document, kind);
  };
  const { spec } = policy as ValidatingPolicy;
  const { paramKind, variables = [], validations = [] } = spec;
  const params = paramKind && (await typeOf({ ...parseApiVersion(paramKind.apiVersion), kind: paramKind.kind }));
  const environments: KindEnvironment[] = [];
  for (const kind of kindsOf(spec.matchConstraints?.resourceRules ?? [], served)) {
    const objects = await typeOf(kind);
    if (objects === undefined) continue;
    const scope = { hasParams: paramKind !== undefined, objects, params };
    const { types } = compileVariables(variables, scope);
    environments.push({ kind, environment: checkedEnvironment({ ...scope, hasAuthorizer: true, variables: types }) });
  }
  return validations.flatMap(({ expression, messageExpression = "" }, index) => [
    ...warningsFor(`spec.validations[${index}].expression`, expression, environments),
    ...(messageExpression === "" ? [] : warningsFor(`spec.validations[${index}].messageExpression`, messageExpression, environments)),
  ]);
}

/** A kind that a server serves. */
export interface ServedKind extends GroupVersionKind {
  readonly plural: string;
}

interface KindEnvironment {
  readonly kind: GroupVersionKind;
  readonly environment: Environment;
}

/** What the real controller knows: all but what the request itself may do, so that it doubts every expression that asks for it. */
function checkedEnvironment(scope: ExpressionScope): Environment {
  const { variables } = expressionEnvironment(scope);
  return { variables: Object.fromEntries(Object.entries(variables).filter(([name]) => name !== "authorizer.requestResource")) };
}

function warningsFor(fieldRef: string, text: string, environments: readonly KindEnvironment[]): readonly ExpressionWarning[] {
  const problems = environments.flatMap(({ kind, environment }) => {
    const compiled = compile(text, environment);
    return compiled.type === "Issues" ? [`${formatGoKind(kind)}: ${compiled.message}\n`] : [];
  });
  return problems.length === 0 ? [] : [{ fieldRef, warning: problems.join("\n") }];
}

/** The kinds that rules name without wildcards, in the order of group, version and kind. The core group stands for any, as in a REST mapper. */
function kindsOf(rules: readonly Rule[], served: readonly ServedKind[]): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of rules) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes("*"))) continue;
    const plurals = resources.filter((name) => !/[*/]/.test(name)).toSorted(compareGoStrings);
    const named = apiGroups
      .toSorted(compareGoStrings)
      .flatMap((group) =>
        apiVersions.toSorted(compareGoStrings).flatMap((version) => plurals.map((plural) => ({ group, version, plural }))),
      );
    const kinds = named.flatMap(({ group, version, plural }) =>
      served.filter((each) => each.plural === plural && each.version === version && (group === "" || each.group === group)),
    );
    for (const { group, version, kind } of kinds.slice(0, mostKinds)) found.set(`${group}/${version}/${kind}`, { group, version, kind });
    if (kinds.length >= mostKinds) break;
  }
  return [...found.values()].toSorted(
    (left, right) =>
      compareGoStrings(left.group, right.group) || compareGoStrings(left.version, right.version) || compareGoStrings(left.kind, right.kind),
  );
}
