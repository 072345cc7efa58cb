import type { ObjectId } from "../simulation/object-id.ts";
import type { Fault } from "../simulation/plan.ts";
import { shortError } from "../simulation/short-text.ts";
import type { Write } from "../simulation/trace-entry.ts";
import { differenceText, differences } from "./end-state.ts";
import type { Difference } from "./end-state.ts";
import { lastFailure, neverReconciled, writesOf } from "./run-outcome.ts";
import type { Failure, RunOutcome } from "./run-outcome.ts";
import type { Violation } from "./violation.ts";

/** What a run is judged by. */
export interface Yardstick {
  /** The run of the same operations in which nothing goes wrong. */
  readonly reference: RunOutcome;
  /** Places that differ though nothing goes wrong, such as passwords that are made up. */
  readonly mask: ReadonlySet<string>;
}

const unlikeReference = "unlike when nothing goes wrong";

/** What is wrong in a run by itself, whatever its plan. */
function selfEvident(run: RunOutcome): readonly Violation[] {
  return [...run.violations, ...errorViolations(run)];
}

/** What is wrong in a run in which nothing went wrong around it. */
export function wrongByItself(run: RunOutcome): readonly Violation[] {
  return [...selfEvident(run), ...convergence(run, undefined), ...orphanCreates(run), ...statusLies(run)];
}

/** What is wrong in a run, by comparison with the one in which nothing went wrong. The most telling comes first. */
export function wrongByComparison(run: RunOutcome, { reference, mask }: Yardstick): readonly Violation[] {
  const known = new Set(wrongByItself(reference).map(keyOf));
  const own = selfEvident(run)
    .filter((violation) => !known.has(keyOf(violation)))
    .map((violation) => withDifferences(violation, run, { reference, mask }));
  return [
    ...own,
    ...protectedDeletes(run, reference),
    ...overCreates(run, reference),
    ...lostEdits(run),
    ...convergence(run, reference),
    ...endStates(run, reference, mask),
    ...madeUpAnew(run, reference, mask),
  ];
}

/** Of what does not hold in the end, in which of the objects that it depends on the end is another than when nothing goes wrong, where it holds. */
function withDifferences(violation: Violation, run: RunOutcome, { reference, mask }: Yardstick): Violation {
  const { dependsOn, details = [] } = violation;
  const unlike = differences(reference.end, run.end).filter(
    (difference) => dependsOn?.includes(difference.object) === true && !mask.has(placeOf(difference)),
  );
  return unlike.length === 0
    ? violation
    : { ...violation, details: [...unlike.map((each) => `${differenceText(each)}, ${unlikeReference}`), ...details] };
}

/** The place of a difference, as a mask has it. */
export function placeOf({ object, path }: Difference): string {
  return `${object} ${path}`;
}

/** What makes two violations one: of what reconciles fail with, not what simpler values may change in it. */
export function keyOf({ oracle, subject, failure = "" }: Violation): string {
  return `${oracle} ${subject} ${failure.replaceAll(/"[^"]*"|\d+/g, "…")}`;
}

function errorViolations({ entries }: RunOutcome): readonly Violation[] {
  const found: Violation[] = [];
  for (const entry of entries) {
    if (entry.type !== "Error") continue;
    if (entry.kind === "Bug") found.push({ oracle: "exception", subject: entry.text, message: entry.text });
    if (entry.kind === "Forgotten") found.push({ oracle: "forgotten promise", subject: entry.text, message: entry.text });
    if (entry.kind === "Forbidden") found.push({ oracle: "least privilege", subject: entry.text, message: entry.text });
  }
  return found;
}

function convergence(run: RunOutcome, reference: RunOutcome | undefined): readonly Violation[] {
  if (run.isRestless && reference?.isRestless !== true) {
    const busiest = mostFrequent(writesOf(run).map(({ object }) => object));
    const what = busiest === undefined ? "reconciling" : `writing ${busiest}`;
    return [{ oracle: "convergence", subject: busiest ?? "reconcile", message: `it never comes to rest: the operator goes on ${what}` }];
  }
  const failure = lastFailure(run);
  if (reference === undefined && failure === undefined) return neverReconciledViolation(run);
  if (failure === undefined || (reference !== undefined && lastFailure(reference) !== undefined)) return [];
  return [failingForEver(failure)];
}

/** A reconcile that fails in the same way each time. */
export function failingForEver({ error, isFinalizing }: Failure): Violation {
  const subject = isFinalizing ? "finalize" : "reconcile";
  const message = `the last ${subject} failed, and so does every one after it: ${shortError(error)}`;
  return { oracle: "convergence", subject, message, failure: error };
}

/** That an object is gone in the end does not make up for what was never done for it. */
function neverReconciledViolation(run: RunOutcome): readonly Violation[] {
  const found = neverReconciled(run);
  if (found === undefined) return [];
  const message = `every reconcile of ${found.object} failed, as long as it was there: ${shortError(found.failure)}`;
  return [{ oracle: "convergence", subject: "reconcile", message, failure: found.failure }];
}

function orphanCreates({ orphans }: RunOutcome): readonly Violation[] {
  return orphans.map((orphan) => ({
    oracle: "orphan create",
    subject: orphan,
    message: `${orphan} was created after its owner had gone`,
  }));
}

/**
 * Whoever says that an object is ready must not go on working on it, or on those that it made for it, unless something happens: another object of the operator may have
 * waited for it, or want something else of it now. What others say of theirs is their matter.
 */
function statusLies(run: RunOutcome): readonly Violation[] {
  const spoken = new Set(
    writesOf(run)
      .filter(({ subresource }) => subresource === "status")
      .map(({ object }) => object),
  );
  for (const { id, reconcile, ops, after } of run.claims) {
    if (!spoken.has(id)) continue;
    const family: ReadonlySet<string> = familyOf(id, run);
    const isOfItsOwn = (write: Write): boolean => family.has(subjectOf(run, write) ?? "");
    const later = writesOf({ entries: run.entries.slice(after) }).find(
      (write) =>
        write.isEffective &&
        write.ops === ops &&
        write.subresource === undefined &&
        (isOfItsOwn(write) ? (write.reconcile ?? 0) > reconcile : family.has(write.object)),
    );
    if (later === undefined || !isOfItsOwn(later)) continue;
    const message = `the status of ${id} says Ready while the operator still has to ${later.verb} ${later.object}`;
    return [{ oracle: "status honesty", subject: id, message, reconcile }];
  }
  return [];
}

/** The object that a write was made in the reconcile of. */
function subjectOf({ entries }: RunOutcome, { life, reconcile }: Write): ObjectId | undefined {
  const reconciles = entries.filter((entry) => entry.type === "Reconcile");
  return reconciles.find((entry) => entry.life === life && entry.number === reconcile)?.sight.object;
}

/** An object and all that was made for it, by others that were made for it, too. */
function familyOf(id: ObjectId, run: RunOutcome): ReadonlySet<ObjectId> {
  return new Set([id, ...run.owners.keys().filter((object) => lineOf(object, run).includes(id))]);
}

/** An object, its owner, the owner of that one, and so on. */
function lineOf(object: ObjectId | undefined, run: RunOutcome): readonly ObjectId[] {
  const line: ObjectId[] = [];
  for (let next = object; next !== undefined && !line.includes(next); next = run.owners.get(next)) line.push(next);
  return line;
}

/** Something that lived when the fault struck was deleted by the operator, more often than without the fault. */
function protectedDeletes(run: RunOutcome, reference: RunOutcome): readonly Violation[] {
  if (run.atFault === undefined || run.plan.faults.some(misleads)) return [];
  const aliveAtFault = new Set(run.atFault.values().map(({ metadata }) => metadata.uid));
  const before = countBy(deletesOf(reference));
  const counts = countBy(deletesOf(run));
  const found: Violation[] = [];
  for (const [object, count] of counts) {
    const expected = before.get(object) ?? 0;
    const victim = writesOf(run).some(
      (write) => isDelete(write) && write.object === object && write.uid !== undefined && aliveAtFault.has(write.uid),
    );
    if (count <= expected || !victim) continue;
    found.push({
      oracle: "protected delete",
      subject: object,
      message: `the operator deletes ${object}, which nobody wanted gone: ${times(count)}, and ${times(expected)} when nothing goes wrong`,
    });
  }
  return found;
}

/** More children at once than without the fault. Operations that overlap may need more for a while. */
function overCreates(run: RunOutcome, reference: RunOutcome): readonly Violation[] {
  if (run.plan.faults.some((fault) => overlapsOps(fault) || misleads(fault))) return [];
  const found: Violation[] = [];
  for (const [children, peak] of run.peaks) {
    const expected = reference.peaks.get(children) ?? 0;
    if (peak <= expected) continue;
    const [kind = "", owner = ""] = children.split(" of ");
    const message = `${owner} has ${peak} children of kind ${kind} at once, and never more than ${expected} when nothing goes wrong`;
    found.push({ oracle: "over-create", subject: children, message });
  }
  return found;
}

/** Whether something else is wanted of a child until the operator has put it right, which whoever looks after the child does meanwhile; or whether a child may be replaced that does not run. */
function misleads({ type }: Fault): boolean {
  return type === "ChangeChild" || type === "CrashPods";
}

function overlapsOps(fault: RunOutcome["plan"]["faults"][number]): boolean {
  if (fault.type === "Burst" || fault.type === "TimeTravel") return true;
  if (fault.type === "Lag") return fault.until === "AfterNextOp";
  return (fault.type === "Crash" || fault.type === "Restart") && fault.down === "AcrossNextOp";
}

function lostEdits({ lostEdits: lost }: RunOutcome): readonly Violation[] {
  return lost.map((object) => ({
    oracle: "lost edit",
    subject: object,
    message: `an annotation that somebody else put on ${object} just before the operator wrote it is gone`,
  }));
}

/**
 * At rest, and in the end, the world is as it would be without the fault. While operations overlap, it may be behind; and where what a user wanted was refused, since what it is about
 * was not there yet, or what others made of a child is now wanted by the operator, it is another.
 */
function endStates(run: RunOutcome, reference: RunOutcome, mask: ReadonlySet<string>): readonly Violation[] {
  if (run.isAdopted || run.entries.some(({ type }) => type === "OpFailed")) return [];
  const rests = run.plan.faults.some(overlapsOps) ? [] : run.rests;
  for (const [op, { state }] of rests) {
    const found = differences(reference.rests.get(op)?.state ?? state, state);
    const violations = stateViolation("end state", `at rest after operation ${op + 1}, ${unlikeReference}`, found, mask);
    if (violations.length > 0) return violations;
  }
  return stateViolation("end state", `in the end, ${unlikeReference}`, differences(reference.end, run.end), mask);
}

/** What is made up, such as a password, is made up once: what stays as it is without the fault stays so with it, too. */
function madeUpAnew(run: RunOutcome, reference: RunOutcome, mask: ReadonlySet<string>): readonly Violation[] {
  if (mask.size === 0 || run.isAdopted) return [];
  const { lasting, end } = run;
  const isMadeUp = (difference: Difference): boolean =>
    difference.path !== "" && difference.expected !== undefined && mask.has(placeOf(difference));
  const passing = new Set(differences(lasting, reference.end).map(placeOf));
  const anew = differences(lasting, end).find(
    (difference) => isMadeUp(difference) && !passing.has(placeOf(difference)) && !losesItsSource(difference.object, run, mask),
  );
  if (anew === undefined) return [];
  const { object, path } = anew;
  return [{ oracle: "end state", subject: object, message: `${object}: ${path} is made up anew, though it was there before` }];
}

/**
 * Whether an object may follow from something made up that somebody deletes in a run: it was made after that. The one cannot be the same again, nor can what follows from it, such as its hash in a
 * pod template.
 */
function losesItsSource(object: string, run: RunOutcome, mask: ReadonlySet<string>): boolean {
  const written = writesOf(run).map((write) => write.object);
  return run.plan.faults
    .flatMap((fault) => deletedBy(fault, run))
    .some((source) => mask.values().some((place) => place.startsWith(`${source} `)) && written.indexOf(source) < written.indexOf(object));
}

/** What somebody deletes by a fault. */
function deletedBy(fault: Fault, run: RunOutcome): readonly string[] {
  if (fault.type === "DeleteChild") return [fault.object];
  if (fault.type !== "Overtake" && !(fault.type === "Interfere" && fault.how === "Delete")) return [];
  const { write, nth } = fault.at;
  return writesOf(run).flatMap(({ anchor, object }) => (anchor.write === write && anchor.nth === nth ? [object] : []));
}

/** The violation that differences between two states are; `circumstance` says when it is so, and compared with what. */
export function stateViolation(
  oracle: "end state" | "path independence",
  circumstance: string,
  found: readonly Difference[],
  mask: ReadonlySet<string>,
): readonly Violation[] {
  const real = found.filter((difference) => !mask.has(placeOf(difference)));
  const [first] = real;
  if (first === undefined) return [];
  const details = real.map(differenceText);
  return [{ oracle, subject: first.object, message: `${details[0] ?? ""} (${circumstance})`, details }];
}

/** The objects that were deleted, each once: one that takes its time to go may be deleted again meanwhile. */
function deletesOf(run: RunOutcome): readonly string[] {
  const deletes = writesOf(run).filter(isDelete);
  return deletes
    .filter(({ uid }, index) => uid === undefined || deletes.findIndex((other) => other.uid === uid) === index)
    .map(({ object }) => object);
}

function times(count: number): string {
  return count === 0 ? "never" : count === 1 ? "once" : `${count} times`;
}

function isDelete({ verb, isEffective }: { readonly verb: string; readonly isEffective: boolean }): boolean {
  return verb === "delete" && isEffective;
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** What is named again and again, if anything is. */
function mostFrequent(names: readonly string[]): string | undefined {
  return [...countBy(names)].filter(([, count]) => count > 20).toSorted((left, right) => right[1] - left[1])[0]?.[0];
}
