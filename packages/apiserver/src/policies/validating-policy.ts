import type { DynamicObject, LabelSelector } from "@kaji/core";
import type { MatchCondition } from "../webhooks/match-conditions.ts";
import type { Rule } from "../webhooks/rule.ts";

/** A `ValidatingAdmissionPolicy`, as it was validated and defaulted. */
export interface ValidatingPolicy extends DynamicObject {
  readonly spec: PolicyTermsSpec & {
    readonly validations?: readonly Validation[];
    readonly auditAnnotations?: readonly AuditAnnotation[];
  };
}

/** When a policy is in force. */
export interface PolicyTermsSpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly PolicyVariable[];
  readonly failurePolicy?: FailurePolicy;
}

/** A `ValidatingAdmissionPolicyBinding` or `MutatingAdmissionPolicyBinding`, as it was validated and defaulted. */
export interface PolicyBindingObject extends DynamicObject {
  readonly spec: {
    readonly policyName: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
    /** Absent where a policy changes objects. */
    readonly validationActions?: readonly ValidationAction[];
  };
}

/** How grave it is when a policy cannot be evaluated. */
export type FailurePolicy = "Fail" | "Ignore";

/** What comes of a validation that fails. */
export type ValidationAction = "Audit" | "Deny" | "Warn";

/** Which writes are meant. */
export interface MatchResources {
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly resourceRules?: readonly Rule[];
  readonly excludeResourceRules?: readonly Rule[];
  readonly matchPolicy?: "Equivalent" | "Exact";
}

/** The kind of a policy's parameters. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Which objects are the parameters. */
export interface ParamRef {
  readonly name?: string;
  /** Default the namespace of the write. */
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: "Allow" | "Deny";
}

/** What expressions of a policy may refer to by name. */
export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

/** What must hold. */
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

/** What audits are told. */
export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}
