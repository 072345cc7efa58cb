import type { Scenario } from "../../exchange.ts";
import { authorizationScenarios } from "./authorization.ts";
import { escalationScenarios } from "./escalation.ts";
import { impersonationScenarios } from "./impersonation.ts";
import { policyParameterScenarios } from "./policy-parameters.ts";
import { reviewScenarios } from "./reviews.ts";
import { tokenScenarios } from "./tokens.ts";

/** Who may do what, and how whoever may not is told. */
export const accessScenarios: readonly Scenario[] = [
  ...authorizationScenarios,
  ...escalationScenarios,
  ...impersonationScenarios,
  ...reviewScenarios,
  ...tokenScenarios,
  ...policyParameterScenarios,
];
