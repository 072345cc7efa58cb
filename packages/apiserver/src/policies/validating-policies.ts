import type { AdmissionPlugin } from "../admission.ts";
import { reviewSubject } from "../webhooks/review-target.ts";
import { compilePolicy } from "./compiled-policy.ts";
import { isSpared, matchCriteria } from "./policy-criteria.ts";
import { PolicyEnforcement } from "./policy-enforcement.ts";
import type { PolicyAdmission } from "./policy-enforcement.ts";
import { RegisteredPolicies } from "./registered-policies.ts";
import type { ValidatingPolicy } from "./validating-policy.ts";

const paths = { policies: "/registry/validatingadmissionpolicies/", bindings: "/registry/validatingadmissionpolicybindings/" };

/** Enforces `ValidatingAdmissionPolicy`s where bindings say so; of several objections the first counts. */
export function validatingPolicies(options: PolicyAdmission): AdmissionPlugin {
  const policies = new RegisteredPolicies(options.storage, paths, (object) => compilePolicy(object as ValidatingPolicy));
  return {
    name: "ValidatingAdmissionPolicy",
    judgesConnections: true,
    validate: (request) => {
      if (policies.all.length === 0) return undefined;
      const subject = reviewSubject(request);
      if (subject === undefined || isSpared(subject)) return undefined;
      const matched = policies.all.flatMap((bound) => {
        const target = matchCriteria(bound.policy.criteria, subject, options);
        return target === undefined ? [] : [{ ...bound, target }];
      });
      return matched.length === 0 ? undefined : new PolicyEnforcement(options, subject).enforce(matched);
    },
  };
}
