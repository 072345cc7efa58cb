import type { Scenario } from "../../exchange.ts";
import { addressScenarios } from "./address-scenarios.ts";
import { applyScenarios } from "./apply-scenarios.ts";
import { clusterObjectScenarios } from "./cluster-objects.ts";
import { configurationScenarios } from "./configuration.ts";
import { decodingScenarios } from "./decoding-scenarios.ts";
import { deletionScenarios } from "./deletion-scenarios.ts";
import { podDefaultScenarios } from "./pod-default-scenarios.ts";
import { podLifeScenarios } from "./pod-life-scenarios.ts";
import { podOsScenarios } from "./pod-os-scenarios.ts";
import { podValidationScenarios } from "./pod-validation-scenarios.ts";
import { serviceScenarios } from "./services.ts";
import { workloadScenarios } from "./workloads.ts";

/** The kinds of the core group: their defaults, rules, life and tables. */
export const coreKinds: readonly Scenario[] = [
  ...podDefaultScenarios,
  ...podValidationScenarios,
  ...podOsScenarios,
  ...podLifeScenarios,
  ...serviceScenarios,
  ...addressScenarios,
  ...configurationScenarios,
  ...clusterObjectScenarios,
  ...workloadScenarios,
  ...decodingScenarios,
  ...deletionScenarios,
  ...applyScenarios,
];
