import { jsonPathOf } from "./schema-path.ts";
import type { Path } from "./schema-path.ts";
import type { RuleReason, ValidationRule } from "./structural-schema.ts";

/** A condition in CEL on a value of type `T`, in which `self` is the value and `oldSelf` the one before an update. */
export interface Rule<T> extends RuleOptions<T> {
  readonly rule: string;
}

/** How a broken rule is reported, and when it is checked. */
export interface RuleOptions<T> {
  /** One line. Default: `failed rule: …`. */
  readonly message?: string;
  /** CEL that gives the message, for one that names values. */
  readonly messageExpression?: string;
  readonly reason?: RuleReason;
  /** The field to blame, below the one that has the rule. */
  readonly fieldPath?: Path<T>;
  /** Checks a rule with `oldSelf` also when there was no value before; `oldSelf` is then an optional. Default false. */
  readonly optionalOldSelf?: boolean;
}

/** A rule as a schema carries it. */
export function validationRule<T>({ rule, fieldPath, optionalOldSelf = false, ...texts }: Rule<T>): ValidationRule {
  return {
    rule,
    ...texts,
    ...(fieldPath === undefined ? {} : { fieldPath: jsonPathOf(fieldPath) }),
    ...(optionalOldSelf ? { optionalOldSelf } : {}),
  };
}
