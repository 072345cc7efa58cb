import type { Scenario } from "./exchange.ts";
import { accessScenarios } from "./scenarios/access/access.ts";
import { coreKinds } from "./scenarios/core-kinds/core-kinds.ts";
import { groupKinds } from "./scenarios/group-kinds/group-kinds.ts";
import { aggregationScenarios } from "./scenarios/semantics/aggregation.ts";
import { applyScenarios } from "./scenarios/semantics/apply.ts";
import { conversionWebhookScenarios } from "./scenarios/admission/conversion-webhooks.ts";
import { limitScenarios } from "./scenarios/admission/limits.ts";
import { mutatingPolicyScenarios } from "./scenarios/admission/mutating-policies.ts";
import { podSecurityScenarios } from "./scenarios/admission/pod-security/pod-security.ts";
import { policyScenarios } from "./scenarios/admission/policies.ts";
import { quotaScenarios } from "./scenarios/admission/quotas.ts";
import { serviceAccountScenarios } from "./scenarios/admission/service-accounts.ts";
import { webhookScenarios } from "./scenarios/admission/webhooks.ts";
import { customKindScenarios } from "./scenarios/semantics/custom-kinds.ts";
import { deletionScenarios } from "./scenarios/semantics/deletion.ts";
import { discoveryScenarios } from "./scenarios/semantics/discovery.ts";
import { emptyScenarios } from "./scenarios/semantics/empties.ts";
import { errorScenarios } from "./scenarios/semantics/errors.ts";
import { listScenarios } from "./scenarios/semantics/lists.ts";
import { patchScenarios } from "./scenarios/semantics/patches.ts";
import { refusalScenarios } from "./scenarios/semantics/refusals.ts";
import { transformScenarios } from "./scenarios/semantics/transforms.ts";
import { transportScenarios } from "./scenarios/semantics/transport.ts";
import { watchScenarios } from "./scenarios/semantics/watches.ts";
import { writeScenarios } from "./scenarios/semantics/writes.ts";

/** Scenarios that are recorded together, and where the recording is kept. */
export interface RecordingPlan {
  readonly scenarios: readonly Scenario[];
  readonly file: URL;
  /** How the real server is to be started otherwise than usual. */
  readonly apiserverFlags?: readonly string[];
}

const ofKinds = (name: string): URL => new URL(`../../../packages/cluster/testdata/${name}.json`, import.meta.url);
const ofSemantics = (name: string): URL => new URL(`../../../test/exchanges/testdata/${name}.json`, import.meta.url);

/** Pods are admitted by their service accounts, which scenarios must then make. */
const withServiceAccounts = ["--disable-admission-plugins="];
/** Containers may be privileged, as in the embedded server, if admission has nothing against it. */
const withPrivileges = ["--allow-privileged=true"];

/** Every recording by its name, which is also the namespace its scenarios work in. */
export const recordings: Readonly<Record<string, RecordingPlan>> = {
  "core-kinds": { scenarios: coreKinds, file: ofKinds("core-kinds") },
  "group-kinds": { scenarios: groupKinds, file: ofKinds("group-kinds") },
  access: { scenarios: accessScenarios, file: ofSemantics("access") },
  aggregation: { scenarios: aggregationScenarios, file: ofSemantics("aggregation") },
  apply: { scenarios: applyScenarios, file: ofSemantics("apply") },
  "conversion-webhooks": { scenarios: conversionWebhookScenarios, file: ofSemantics("conversion-webhooks") },
  "custom-kinds": { scenarios: customKindScenarios, file: ofSemantics("custom-kinds") },
  deletion: { scenarios: deletionScenarios, file: ofSemantics("deletion") },
  discovery: { scenarios: discoveryScenarios, file: ofSemantics("discovery") },
  empties: { scenarios: emptyScenarios, file: ofSemantics("empties") },
  errors: { scenarios: errorScenarios, file: ofSemantics("errors") },
  limits: { scenarios: limitScenarios, file: ofSemantics("limits") },
  lists: { scenarios: listScenarios, file: ofSemantics("lists") },
  "mutating-policies": { scenarios: mutatingPolicyScenarios, file: ofSemantics("mutating-policies") },
  patches: { scenarios: patchScenarios, file: ofSemantics("patches") },
  "pod-security": { scenarios: podSecurityScenarios, file: ofSemantics("pod-security"), apiserverFlags: withPrivileges },
  policies: { scenarios: policyScenarios, file: ofSemantics("policies") },
  quotas: { scenarios: quotaScenarios, file: ofSemantics("quotas") },
  refusals: { scenarios: refusalScenarios, file: ofSemantics("refusals") },
  "service-accounts": { scenarios: serviceAccountScenarios, file: ofSemantics("service-accounts"), apiserverFlags: withServiceAccounts },
  transforms: { scenarios: transformScenarios, file: ofSemantics("transforms") },
  transport: { scenarios: transportScenarios, file: ofSemantics("transport") },
  watches: { scenarios: watchScenarios, file: ofSemantics("watches") },
  webhooks: { scenarios: webhookScenarios, file: ofSemantics("webhooks") },
  writes: { scenarios: writeScenarios, file: ofSemantics("writes") },
};
