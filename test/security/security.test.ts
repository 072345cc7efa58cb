import { accessAttempts } from "./access-attempts.ts";
import { escalationAttempts } from "./escalation-attempts.ts";
import { GuardedPlane } from "./guarded-plane.ts";
import { tokenAttempts } from "./token-attempts.ts";

// The embedded control plane refuses what it should; that a real one refuses it in the same words is in `security.kube.test.ts`.
accessAttempts(() => GuardedPlane.embedded());
escalationAttempts(() => GuardedPlane.embedded());
tokenAttempts(() => GuardedPlane.embedded());
