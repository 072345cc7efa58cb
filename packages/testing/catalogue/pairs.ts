import { deleteAndRecreate, externalCreate, finalizerChain, guardedBundle, labelMachine, phaseInMemory } from "./a-crash.ts";
import { deletionByName, staleScale, staleToggle } from "./b-time-travel.ts";
import { lastSeenInMemory, onlyWhileTerminating, stepwiseScaling } from "./c-unobserved.ts";
import { countedInCache, recordedTooLate } from "./d-cache-lag.ts";
import { absentField, annotationsMerged, disableLeaves, renamed } from "./e-path.ts";
import { busyPoll, deleteAgain, flipFlop, reconcileTime, unconditionalStatus } from "./g-steady-state.ts";
import { crashedForGood, stuckRollout } from "./f-recovery.ts";
import { foreignOwner, noReturn, recordedAfterwards, withoutOwner } from "./h-orphans.ts";
import { countWithoutGeneration, noObservedGeneration, othersParents } from "./i-status.ts";
import { blindUpdate, forgottenPromise, progressInMemory, swallowedError, undeclaredVerb } from "./j-runtime.ts";
import { askedTwice, failedForGood, neverLookedAtAgain, unknownIsNone } from "./k-outside.ts";
import { goneIsAnError, unwatchedSource } from "./held-out-more.ts";
import { countedWrites, errorForGood, readyTooSoon, transitionTime } from "./held-out-status.ts";
import { anotherName, conflictIgnored, doneBeforeIt, finalizerFirst, silentlyWithoutTls } from "./held-out-steps.ts";
import { brokenOnce, duplicatePurged, firstGeneration, labelsMerged, ownBook } from "./held-out-views.ts";
import { backToTheStart, cutNames, finalizerLast, olderSelf, scalingFight } from "./blind-again.ts";
import { goneTogether, nameIsTaken, renewalOfOne } from "./blind-ends.ts";
import { defaultsAreDifferences, hashOfWish, orderOfArrival, unchangeable } from "./blind-upkeep.ts";
import { everyFinalizer, leftover, neverGone } from "./blind-deletions.ts";
import { beforeSynced, silentAfterBreak } from "./blind-loops.ts";
import { anotherPassword, neighboursChildren, noLongerSelected } from "./blind-neighbours.ts";
import { deafField, grownBySteps, lastSeen, twoAttempts } from "./blind-specs.ts";
import { readBack, staleOwner, stalePod } from "./blind-views.ts";
import type { Pair } from "./pair.ts";

/** The samples that oracles were tried on while they were written, in the order of the catalogue. */
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
  crashedForGood,
  reconcileTime,
  unconditionalStatus,
  flipFlop,
  busyPoll,
  deleteAgain,
  noReturn,
  foreignOwner,
  withoutOwner,
  recordedAfterwards,
  countWithoutGeneration,
  noObservedGeneration,
  othersParents,
  blindUpdate,
  swallowedError,
  progressInMemory,
  forgottenPromise,
  undeclaredVerb,
  failedForGood,
  unknownIsNone,
  neverLookedAtAgain,
  askedTwice,
];

/** Samples that were written last, when nearly all of the oracles were done. */
export const heldOut: readonly Pair[] = [
  silentlyWithoutTls,
  doneBeforeIt,
  finalizerFirst,
  brokenOnce,
  firstGeneration,
  ownBook,
  duplicatePurged,
  labelsMerged,
  errorForGood,
  transitionTime,
  countedWrites,
  readyTooSoon,
  anotherName,
  conflictIgnored,
  goneIsAnError,
  unwatchedSource,
];

/** Samples that were written with the oracles frozen, and tried once: how that went is in docs/fault-exploration.md. */
export const blind: readonly Pair[] = [
  twoAttempts,
  stalePod,
  staleOwner,
  grownBySteps,
  readBack,
  deafField,
  lastSeen,
  silentAfterBreak,
  beforeSynced,
  neverGone,
  everyFinalizer,
  leftover,
  neighboursChildren,
  anotherPassword,
  noLongerSelected,
  finalizerLast,
  scalingFight,
  olderSelf,
  cutNames,
  backToTheStart,
  hashOfWish,
  orderOfArrival,
  unchangeable,
  defaultsAreDifferences,
  goneTogether,
  renewalOfOne,
  nameIsTaken,
];
