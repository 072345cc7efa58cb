import { deleteAndRecreate, externalCreate, finalizerChain, guardedBundle, labelMachine, phaseInMemory } from "./a-crash.ts";
import { deletionByName, staleScale, staleToggle } from "./b-time-travel.ts";
import { lastSeenInMemory, onlyWhileTerminating, stepwiseScaling } from "./c-unobserved.ts";
import { countedInCache, recordedTooLate } from "./d-cache-lag.ts";
import { absentField, annotationsMerged, disableLeaves, renamed } from "./e-path.ts";
import { busyPoll, deleteAgain, flipFlop, reconcileTime, unconditionalStatus } from "./g-steady-state.ts";
import { stuckRollout } from "./f-recovery.ts";
import { foreignOwner, noReturn, withoutOwner } from "./h-orphans.ts";
import { countWithoutGeneration, noObservedGeneration } from "./i-status.ts";
import { blindUpdate, forgottenPromise, progressInMemory, swallowedError, undeclaredVerb } from "./j-runtime.ts";
import type { Pair } from "./pair.ts";

/** All samples, in the order of the catalogue. */
export const pairs: readonly Pair[] = [
  deleteAndRecreate,
  guardedBundle,
  phaseInMemory,
  labelMachine,
  finalizerChain,
  externalCreate,
  deletionByName,
  staleScale,
  staleToggle,
  onlyWhileTerminating,
  stepwiseScaling,
  lastSeenInMemory,
  countedInCache,
  recordedTooLate,
  annotationsMerged,
  disableLeaves,
  absentField,
  renamed,
  stuckRollout,
  reconcileTime,
  unconditionalStatus,
  flipFlop,
  busyPoll,
  deleteAgain,
  noReturn,
  foreignOwner,
  withoutOwner,
  countWithoutGeneration,
  noObservedGeneration,
  blindUpdate,
  swallowedError,
  progressInMemory,
  forgottenPromise,
  undeclaredVerb,
];
