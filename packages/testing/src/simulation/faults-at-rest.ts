import type { DynamicObject } from "@kaji/core";
import { appliedLeaves } from "./applied-leaves.ts";
import type { Leaf } from "./applied-leaves.ts";
import { describeFault } from "./describe-fault.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { ObjectId } from "./object-id.ts";
import type { OtherClient } from "./other-client.ts";
import type { Outside } from "./outside.ts";
import { PodCrash, hasReadyPods } from "./pod-crash.ts";
import type { Downtime, EventAnchor, Fault } from "./plan.ts";
import type { Trace } from "./trace.ts";
import type { WorldState } from "./world-state.ts";

/** How long an operator may take to notice what is changed outside. */
const noticeMs = 3600_000;

/** A run, as far as it can be struck when there is nothing to do. */
export interface RestingRun {
  readonly injector: FaultInjector;
  readonly trace: Trace;
  readonly state: WorldState;
  readonly other: OtherClient;
  readonly outside: Outside;
  readonly rest: () => Promise<void>;
  readonly advance: (byMs: number) => Promise<void>;
  /** Restarts the operator on a server that is behind. */
  readonly travel: (to: EventAnchor) => void;
  readonly crash: (down: Downtime) => void;
}

/** What goes wrong when there is nothing to do after an operation. After each of them all comes to rest again. */
export class FaultsAtRest {
  readonly #run: RestingRun;
  #isAdopted = false;

  constructor(run: RestingRun) {
    this.#run = run;
  }

  /** Whether the operator took what somebody made of a field for what it wants itself, and applied it. */
  get isAdopted(): boolean {
    return this.#isAdopted;
  }

  /** Lets the faults strike that the plan has after an operation. */
  async strike(op: number): Promise<void> {
    await this.#deleteChild(op);
    await this.#crashPods(op);
    await this.#changeChild(op);
    await this.#drift(op);
    await this.#travel(op);
    await this.#restart(op);
  }

  async #deleteChild(op: number): Promise<void> {
    const { injector, state, other, rest } = this.#run;
    const fault = injector.takeAtOp("DeleteChild", op);
    const object = fault === undefined ? undefined : state.find(fault.object as ObjectId);
    if (fault === undefined || object === undefined) return;
    this.#tell(fault);
    await other.delete(object);
    await rest();
  }

  async #crashPods(op: number): Promise<void> {
    const { injector, state, other, rest } = this.#run;
    const fault = injector.takeAtOp("CrashPods", op);
    const object = fault === undefined ? undefined : state.find(fault.object as ObjectId);
    if (fault === undefined || object === undefined || !hasReadyPods(object)) return;
    this.#tell(fault);
    const crash = new PodCrash(other, state);
    await crash.strike(object);
    await rest();
    await crash.recover();
    await rest();
  }

  async #changeChild(op: number): Promise<void> {
    const { injector, state, other, rest } = this.#run;
    const fault = injector.takeAtOp("ChangeChild", op);
    const object = fault === undefined ? undefined : state.find(fault.object as ObjectId);
    if (fault === undefined || object === undefined || hasLeaf(object, fault)) return;
    if (!(await other.change(object, fault, { dryRun: true }))) return;
    this.#tell(fault);
    await other.change(object, fault);
    await rest();
    const settled = state.find(fault.object as ObjectId);
    if (settled !== undefined && hasLeaf(settled, fault)) this.#isAdopted = true;
  }

  async #drift(op: number): Promise<void> {
    const { injector, outside, advance, rest } = this.#run;
    const fault = injector.takeAtOp("Drift", op);
    if (fault === undefined || !outside.change(fault.change)) return;
    this.#tell(fault);
    // Nobody tells the operator: it has to look.
    await advance(noticeMs);
    await rest();
  }

  async #travel(op: number): Promise<void> {
    const { injector, travel, rest } = this.#run;
    const fault = injector.takeAtOp("TimeTravel", op);
    if (fault === undefined) return;
    this.#tell(fault);
    travel(fault.to);
    await rest();
  }

  async #restart(op: number): Promise<void> {
    const { injector, crash, rest } = this.#run;
    const fault = injector.takeAtOp("Restart", op);
    if (fault === undefined) return;
    this.#tell(fault);
    crash(fault.down);
    await rest();
  }

  #tell(fault: Fault): void {
    this.#run.trace.add({ type: "Fault", fault, text: describeFault(fault) });
  }
}

/** Whether the operator applies a value. */
function hasLeaf(object: DynamicObject, { field, value }: Leaf): boolean {
  return appliedLeaves(object).some((leaf) => leaf.field === field && leaf.value === value);
}
