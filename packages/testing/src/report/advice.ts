import type { Finding } from "../exploration/finding.ts";
import { outsideSubject } from "../exploration/end-state.ts";
import { isCall } from "../simulation/describe-fault.ts";
import type { Fault } from "../simulation/plan.ts";
import type { TraceEntry, Write } from "../simulation/trace-entry.ts";
import { culpritOf } from "./culprit.ts";

/** Why something can happen in a real cluster, and what usually helps. */
export interface Advice {
  readonly why: string;
  readonly fix: string;
}

/** What to say about a finding. */
export function adviceOn(finding: Finding): Advice {
  const { violation, plan } = finding;
  const [fault] = plan.faults;
  const special =
    outsideFix(finding) ??
    foregroundFix(finding) ??
    unheardFix(finding) ??
    unfinishedFix(finding) ??
    neverFix(finding) ??
    failureFix(finding);
  return { why: whyOf(fault), fix: special ?? fixOf(violation, fault) };
}

/** What an oracle looks after, as the end of a sentence. */
export function ruleOf(oracle: Finding["violation"]["oracle"]): string {
  return rules[oracle];
}

const rules: Readonly<Record<Finding["violation"]["oracle"], string>> = {
  "end state": "at rest, and in the end, the world is what it is when nothing goes wrong",
  convergence: "it comes to rest, the last reconcile does not fail, and of each object at least one ends well",
  "path independence": "what is wanted decides what there is, and not the way there",
  consistency: "every field of the spec makes a difference to something",
  "protected delete": "nothing is deleted that would live without the fault, nor what belongs to another object that lives",
  "over-create": "there are never more children at once than without the fault",
  "orphan create": "nothing is made for an owner that has gone",
  "steady state": "at rest nothing is written in ten minutes, and reconciles are few",
  idempotency: "one more reconcile, with nothing to do, writes nothing",
  "status honesty": "whoever says Ready for a generation has nothing left to do for it",
  "lost edit": "what somebody else wrote just before is still there",
  exception: "a reconcile does not fail by a bug of its own",
  "forgotten promise": "every promise that a reconcile makes is waited for",
  "least privilege": "nothing is done that is not declared",
  invariant: "what the test says must hold, holds",
  "real I/O": "time, chance and everything outside are in the hands of the simulation",
  nondeterminism: "the same run is the same each time",
};

function whyOf(fault: Fault | undefined): string {
  switch (fault?.type) {
    case undefined:
      return "nothing has to go wrong for it: these operations are enough.";
    case "Crash":
    case "Restart":
      return "a process can be killed between any two writes: by a deploy, a node that goes, or for want of memory.";
    case "Refuse":
      if (isCall(fault.at)) return "what is outside cannot be reached at times, or is too busy to do what it is asked.";
      return "an API server refuses a write for reasons of its own, such as a new leader of etcd.";
    case "LoseAnswer":
      return "a write can be done though its answer is lost: whoever gets a timeout does not know which.";
    case "Delay":
      return "a call over a network can take as long as it likes; whoever gives up does not know whether it will be done.";
    case "Interfere":
      return "users, kubectl and other controllers write the same objects, also between a read and a write.";
    case "Overtake":
      return "what a watch tells and what a write is answered come on ways of their own: an answer can be older than what was heard before it.";
    case "Lag":
      return "watch events come late under load; what is in the cache is the past.";
    case "Disconnect":
      return "a watch that breaks begins anew with a list: what was there only in between is never seen.";
    case "LateWebhook":
      return "a webhook that reads from memory judges by what its watch has brought, and watch events come late under load.";
    case "Burst":
      return "users do not wait: several changes may be seen as one.";
    case "ChangeChild":
      return "anybody with kubectl can change a child, and so can other controllers and webhooks.";
    case "DeleteChild":
      return "anybody with kubectl can delete a child.";
    case "CrashPods":
      return "containers crash, fail their probes and are evicted, and come up again.";
    case "Drift":
      return "what is outside can be changed by whoever has access to it, and nobody tells the operator.";
    case "TimeTravel":
      return "an informer that lists from an API server which is behind (resourceVersion 0) starts in the past.";
    default:
      return fault satisfies never;
  }
}

/** What helps outside the cluster, where the framework cannot. */
function outsideFix(finding: Finding): string | undefined {
  const { oracle, subject } = finding.violation;
  const unlessRecord = "if it is only a record of calls, keep it out of what the fake shows of itself, such as in a # field";
  if (oracle === "path independence" && subject === outsideSubject) {
    const wanted = lastOperation(finding)?.startsWith("delete ") === true ? undoing : following;
    return `${wanted}; ${unlessRecord}.`;
  }
  if (oracle === "end state" && subject === outsideSubject && finding.plan.faults.some(({ type }) => isInterruption(type)))
    return "make it by `effect`: it records a token before the call, by which what was made is found again; or let its name follow from the object.";
  if ((oracle === "idempotency" || oracle === "steady state") && subject.endsWith("(call)"))
    return `look at what there is outside before it is changed; ${unlessRecord}.`;
  return undefined;
}

const undoing = "undo in `finalize`, and when it is wanted no longer, what was made outside";
const following = "bring what is outside to what is wanted at each reconcile: all that an `effect` is made from belongs into its `inputs`";

/** Whether after a fault the operator does not know what has been done. */
function isInterruption(fault: Fault["type"]): boolean {
  return fault === "Crash" || fault === "LoseAnswer" || fault === "Delay";
}

function lastOperation({ entries }: Finding): string | undefined {
  return entries.findLast((entry) => entry.type === "Op")?.text;
}

/** What helps an object that waits for its children to go, and never goes. */
function foregroundFix(finding: Finding): string | undefined {
  if (finding.violation.oracle !== "convergence" || lastOperation(finding)?.endsWith("(Foreground)") !== true) return undefined;
  return "make no children of an object that has a deletionTimestamp: `apply` makes none of one that waits for its children to go.";
}

/** What helps a change that matters, and that nobody has heard of. */
function unheardFix(finding: Finding): string | undefined {
  const { violation, plan, entries } = finding;
  const last = entries.findLastIndex((entry) => entry.type === "Op");
  if (violation.oracle !== "idempotency" || plan.faults.length > 0 || last === -1 || isHeard(finding, last)) return undefined;
  return "let the last change lead to a reconcile, since what it changed makes a difference: watch its kind and read it from the cache, or say with `watch(Kind, { toKeys })` which objects it concerns.";
}

/** Whether an operation has led to a reconcile by itself, of the object for which a prompt then led to a write. */
function isHeard(finding: Finding, op: number): boolean {
  const { entries } = finding;
  const culprit = culpritOf(finding);
  const prompted = culprit?.type === "Write" ? reconcileOf(culprit, entries) : undefined;
  for (const entry of entries.slice(op)) {
    // What follows a prompt is the doing of the test.
    if (entry.type === "Prompt") return false;
    if (entry.type === "Reconcile" && (prompted === undefined || isAlike(entry, prompted))) return true;
  }
  return false;
}

/** What helps where the last reconcile wrote something else than the one that a prompt led to: what its own write left to be done. */
function unfinishedFix(finding: Finding): string | undefined {
  const { violation, plan, entries } = finding;
  const culprit = culpritOf(finding);
  if (violation.oracle !== "idempotency" || plan.faults.length > 0 || culprit?.type !== "Write") return undefined;
  const prompted = reconcileOf(culprit, entries);
  const before = entries.slice(0, entries.indexOf(culprit)).findLastIndex(({ type }) => type === "Prompt");
  const last = entries
    .slice(0, before)
    .findLast((entry) => entry.type === "Reconcile" && prompted !== undefined && isAlike(entry, prompted));
  if (last?.type !== "Reconcile") return undefined;
  const writes = entries.filter((entry) => entry.type === "Write");
  const written = writes.filter((write) => write.isEffective && reconcileOf(write, entries) === last);
  const isRepeated = written.some(({ verb, object }) => verb === culprit.verb && object === culprit.object);
  if (written.length === 0 || isRepeated) return undefined;
  return "do it in the reconcile that makes it necessary, after its last write, or return `requeue()` there: what a reconcile writes itself, such as a status that says how far it is, leads to no other.";
}

type Reconciled = TraceEntry & { readonly type: "Reconcile" };

function reconcileOf({ life, reconcile }: Write, entries: readonly TraceEntry[]): Reconciled | undefined {
  return entries.find((entry): entry is Reconciled => entry.type === "Reconcile" && entry.life === life && entry.number === reconcile);
}

function isAlike(left: Reconciled, right: Reconciled): boolean {
  return left.controller === right.controller && left.sight.object === right.sight.object;
}

/** What helps where each reconcile fails. */
function failureFix({ violation: { failure, subject } }: Finding): string | undefined {
  if (failure === undefined) return undefined;
  if (subject === "finalize")
    return "an object whose `finalize` fails never goes, nor does its namespace: take what is gone already for removed, and keep what is needed to remove the rest with the object, such as in its status, since what it is read from may be deleted together with it.";
  return "to try again does not help here: see what it fails with. What is missing is to be waited for (watch it, and say so in the status); what the server refuses, such as a change of what cannot be changed, is to be made in another way.";
}

/** What helps where something does not hold in the end. */
function neverFix({ violation, plan }: Finding): string | undefined {
  const [fault] = plan.faults;
  if (violation.oracle !== "invariant" || violation.dependsOn === undefined) return undefined;
  if (fault !== undefined) return endStateFix(fault);
  return "see above what there is in the end, and what the last reconcile made of it. If it takes time, let it go by with `user.wait`; if others have to act, as where a Job has to end, let them by `world: [workloads, jobs]` or an actor of your own.";
}

const restFix =
  "ask to be called again only while something is awaited that nobody tells of, and then in minutes: what is watched leads to a reconcile by itself.";

function fixOf({ oracle, subject }: Finding["violation"], fault: Fault | undefined): string {
  switch (oracle) {
    case "end state":
      return endStateFix(fault);
    case "convergence":
      if (subject === "reconcile") return restFix;
      return "find what each reconcile undoes of the one before; write only what differs from what is wanted.";
    case "path independence":
      return "compute everything that is wanted from the spec alone, and remove what is wanted no longer: `apply` does that for children.";
    case "consistency":
      return "make something of the field, or take it out of the schema: whoever sets it believes that it is heeded.";
    case "protected delete":
      if (fault === undefined)
        return "delete only what the object that is reconciled owns (`cache.owned`): what has the same label or name may be another's.";
      return "delete by the uid of the object that the decision was about, and make sure that the decision is still right before something is destroyed.";
    case "over-create":
      return "give children names that follow from the owner instead of generateName, so that making one twice is refused.";
    case "orphan create":
      return "return after the finalizer is removed; better, use `finalize`.";
    case "steady state":
    case "idempotency":
      if (subject === "reconcile") return restFix;
      return "compare before writing: `apply` and `setStatus` do; keep times and counters that always change out of what is written; let what is due by the clock be due once, and then not for long.";
    case "status honesty":
      if (fault?.type === "Lag")
        return "say Ready only when nothing is left to do for this generation. If `ready` asks for what others can change at any moment, no operator can promise that: ask for it by `eventually`.";
      return "say Ready only when nothing is left to do for this generation, and write observedGeneration with it: `setStatus` does.";
    case "lost edit":
      if (fault === undefined)
        return "take your own finalizer off the list, or your own entries out of a list of the status, and leave the others there: with finalizers `finalize` does that.";
      return "write with the resourceVersion that was read, or only the fields that are your own: `apply` does.";
    case "exception":
      if (fault?.type === "Refuse" && isCall(fault.at))
        return "look at what was answered before it is used: whether it is what was asked for, and if not, what that means.";
      return "the field may be absent in a valid object: say what holds then.";
    case "forgotten promise":
      return "await every promise that a reconcile makes.";
    case "least privilege":
      return "declare what is done in owns, watches, uses or selfVerbs; the role is derived from it.";
    case "invariant":
      return "order the writes so that the invariant holds after each of them, not only after all.";
    case "real I/O":
      return "take time from the context's clock, deadlines of calls from its `deadline`, and reach what is outside through `external`, of which the test makes a fake; or do it before the operator starts.";
    case "nondeterminism":
      return "take time and chance from the context, let `external` stand in for what makes keys and signatures, make no real I/O in a reconcile, and keep no state in module variables.";
    default:
      return oracle satisfies never;
  }
}

function endStateFix(fault: Fault | undefined): string {
  switch (fault?.type) {
    case "Crash":
    case "Restart":
      return "decide each step by looking at what that step makes, not at what an earlier step left; keep progress in the cluster, not in memory.";
    case "Refuse":
    case "LoseAnswer":
    case "Delay":
      return "let the error end the reconcile, so that it is tried again; a write that may have been done must be found again.";
    case "Lag":
    case "Disconnect":
    case "Burst":
      return "act on the difference between what is wanted and what is there, never on having seen a certain change.";
    case "LateWebhook":
      return "let a refusal end the reconcile, so that it is tried again, and let no default depend on what is read from memory: nobody asks again once it is stored.";
    case "Drift":
      return "look at what is outside at each reconcile (`isIntact` of an `effect`), and have it looked at from time to time, by `poll` or `every`.";
    case "ChangeChild":
      return "watch what you make (`owns`), and apply it at each reconcile, whatever led to it: what is as it should be is not sent. If others may change the field, do not apply it, or name it in `mask`.";
    case "CrashPods":
      return "let what you say and do follow from what the child says now: what did not run for a moment is no failure for good, and what did run once may not run now.";
    case "DeleteChild":
      return "watch what you make (`owns`), and make it again when it is gone; a kind that is kept only as history, such as Jobs that are done, belongs into `retained`.";
    case "Overtake":
      return "take an answer for what was, not for what is: watch what you make (`owns`), and make it again when it is gone.";
    case "Interfere":
      if (fault.how === "Delete")
        return "let a write that finds nothing end the reconcile: the deletion leads to another one, which makes what is gone.";
      return "let a conflict end the reconcile: it is run again at once, with what there is now.";
    case undefined:
    case "TimeTravel":
      return "make sure that what a decision is based on still holds when it is carried out.";
    default:
      return fault satisfies never;
  }
}
