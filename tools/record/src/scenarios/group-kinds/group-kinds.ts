import type { Scenario } from "../../exchange.ts";
import { admissionScenarios } from "./admission.ts";
import { appsScenarios } from "./apps.ts";
import { autoscalingScenarios } from "./autoscaling.ts";
import { batchScenarios } from "./batch.ts";
import { metadataScenarios } from "./metadata.ts";
import { networkingScenarios } from "./networking.ts";
import { policyScenarios } from "./policies.ts";
import { rbacScenarios } from "./rbac.ts";
import { requestScenarios } from "./requests.ts";
import { resourceScenarios } from "./resource.ts";
import { serverScenarios } from "./server.ts";
import { storageScenarios } from "./storage.ts";

/** The kinds of all groups but the core one: their defaults, rules, life and tables. */
export const groupKinds: readonly Scenario[] = [
  ...policyScenarios,
  ...rbacScenarios,
  ...storageScenarios,
  ...networkingScenarios,
  ...appsScenarios,
  ...batchScenarios,
  ...autoscalingScenarios,
  ...admissionScenarios,
  ...requestScenarios,
  ...serverScenarios,
  ...resourceScenarios,
  ...metadataScenarios,
];
