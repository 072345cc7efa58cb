import { accessAttempts } from "./access-attempts.ts";
import { escalationAttempts } from "./escalation-attempts.ts";
import { GuardedPlane } from "./guarded-plane.ts";
import { tokenAttempts } from "./token-attempts.ts";

// The attempts of `security.test.ts`, on a real control plane: what is expected there is what it says.
accessAttempts(() => GuardedPlane.real());
escalationAttempts(() => GuardedPlane.real());
tokenAttempts(() => GuardedPlane.real());
