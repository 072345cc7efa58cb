import type { Scenario } from "./exchange.ts";
import { coreKinds } from "./scenarios/core-kinds/core-kinds.ts";
import { groupKinds } from "./scenarios/group-kinds/group-kinds.ts";
import { applyScenarios } from "./scenarios/semantics/apply.ts";
import { customKindScenarios } from "./scenarios/semantics/custom-kinds.ts";
import { deletionScenarios } from "./scenarios/semantics/deletion.ts";
import { discoveryScenarios } from "./scenarios/semantics/discovery.ts";
import { errorScenarios } from "./scenarios/semantics/errors.ts";
import { listScenarios } from "./scenarios/semantics/lists.ts";
import { patchScenarios } from "./scenarios/semantics/patches.ts";
import { transformScenarios } from "./scenarios/semantics/transforms.ts";
import { transportScenarios } from "./scenarios/semantics/transport.ts";
import { watchScenarios } from "./scenarios/semantics/watches.ts";
import { writeScenarios } from "./scenarios/semantics/writes.ts";

/** Scenarios that are recorded together, and where the recording is kept. */
export interface RecordingPlan {
  readonly scenarios: readonly Scenario[];
  readonly file: URL;
}

const ofKinds = (name: string): URL => new URL(`../../../packages/cluster/testdata/${name}.json`, import.meta.url);
const ofSemantics = (name: string): URL => new URL(`../../../test/exchanges/testdata/${name}.json`, import.meta.url);

/** Every recording by its name, which is also the namespace its scenarios work in. */
export const recordings: Readonly<Record<string, RecordingPlan>> = {
  "core-kinds": { scenarios: coreKinds, file: ofKinds("core-kinds") },
  "group-kinds": { scenarios: groupKinds, file: ofKinds("group-kinds") },
  apply: { scenarios: applyScenarios, file: ofSemantics("apply") },
  "custom-kinds": { scenarios: customKindScenarios, file: ofSemantics("custom-kinds") },
  deletion: { scenarios: deletionScenarios, file: ofSemantics("deletion") },
  discovery: { scenarios: discoveryScenarios, file: ofSemantics("discovery") },
  errors: { scenarios: errorScenarios, file: ofSemantics("errors") },
  lists: { scenarios: listScenarios, file: ofSemantics("lists") },
  patches: { scenarios: patchScenarios, file: ofSemantics("patches") },
  transforms: { scenarios: transformScenarios, file: ofSemantics("transforms") },
  transport: { scenarios: transportScenarios, file: ofSemantics("transport") },
  watches: { scenarios: watchScenarios, file: ofSemantics("watches") },
  writes: { scenarios: writeScenarios, file: ofSemantics("writes") },
};
