import type { DynamicObject } from "@kaji/core";
import { admissionExpression } from "./admission-expression.ts";
import type { AdmissionExpression } from "./admission-expression.ts";
import { compileTerms } from "./compiled-policy.ts";
import type { PolicyTerms } from "./compiled-policy.ts";
import { expressionEnvironment } from "./expression-scope.ts";
import type { PolicyTermsSpec } from "./validating-policy.ts";

/** A `MutatingAdmissionPolicy`, as it was validated and defaulted. */
export interface MutatingPolicy extends DynamicObject {
  readonly spec: PolicyTermsSpec & {
    readonly mutations: readonly MutationSpec[];
    readonly reinvocationPolicy?: "IfNeeded" | "Never";
  };
}

/** How objects are changed: by operations, or by what is merged into them. */
interface MutationSpec {
  readonly patchType: "ApplyConfiguration" | "JSONPatch";
  readonly applyConfiguration?: { readonly expression: string };
  readonly jsonPatch?: { readonly expression: string };
}

/** A policy that is ready to be matched and to change objects. */
export interface CompiledMutatingPolicy extends PolicyTerms {
  readonly mutations: readonly Mutation[];
  /** Whether it wants to see what others changed after it. */
  readonly isReinvoked: boolean;
}

/** One change, of which the expression says what it is. */
export interface Mutation {
  readonly type: "ApplyConfiguration" | "JSONPatch";
  readonly expression: AdmissionExpression;
}

/** Compiles all expressions of a policy. One that is faulty fails when it is evaluated. */
export function compileMutatingPolicy({ metadata, spec }: MutatingPolicy): CompiledMutatingPolicy {
  const { terms, scope } = compileTerms(metadata.name, spec);
  const environment = expressionEnvironment({ ...scope, hasAuthorizer: true, makesPatches: true });
  return {
    ...terms,
    mutations: spec.mutations.map(({ patchType, applyConfiguration, jsonPatch }) => ({
      type: patchType,
      expression:
        patchType === "JSONPatch"
          ? admissionExpression(jsonPatch?.expression ?? "", environment, "JSON patch")
          : admissionExpression(applyConfiguration?.expression ?? "", environment, "object"),
    })),
    isReinvoked: spec.reinvocationPolicy === "IfNeeded",
  };
}
