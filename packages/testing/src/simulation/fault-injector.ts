import type { EventAnchor, Fault, WriteAnchor } from "./plan.ts";

type WriteFault = Extract<Fault, { readonly at: WriteAnchor }>;
type WebhookFault = Extract<Fault, { readonly type: "LateWebhook" }>;
type EventFault = Exclude<Extract<Fault, { readonly at: EventAnchor }>, WebhookFault>;

/** Finds the faults of a plan by what happens. Each strikes once. */
export class FaultInjector {
  readonly #faults: Set<Fault>;
  readonly #counts = new Map<string, number>();
  #isOver = false;

  constructor(faults: readonly Fault[]) {
    this.#faults = new Set(faults);
  }

  /** Faults that have not struck. */
  get left(): readonly Fault[] {
    return [...this.#faults];
  }

  /** From now on nothing goes wrong. */
  end(): void {
    this.#isOver = true;
  }

  /** Names a write; to be called once for each. */
  anchorOfWrite(write: string): WriteAnchor {
    return { write, nth: this.#count(`write ${write}`) };
  }

  /** Names an event; to be called once for each. */
  anchorOfEvent(event: string): EventAnchor {
    return { event, nth: this.#count(`event ${event}`) };
  }

  /** Names an event that webhooks hear; to be called once for each. */
  anchorOfWebhookEvent(event: string): EventAnchor {
    return { event, nth: this.#count(`webhook event ${event}`) };
  }

  /** Takes the fault that strikes a write. */
  takeAtWrite(anchor: WriteAnchor): WriteFault | undefined {
    return this.#take((fault): fault is WriteFault => "at" in fault && "write" in fault.at && isSame(fault.at, anchor));
  }

  /** Takes the fault that strikes an event. */
  takeAtEvent({ event, nth }: EventAnchor): EventFault | undefined {
    const isIt = (at: EventAnchor): boolean => at.event === event && at.nth === nth;
    return this.#take(
      (fault): fault is EventFault => fault.type !== "LateWebhook" && "at" in fault && "event" in fault.at && isIt(fault.at),
    );
  }

  /** Takes the fault that strikes an event which webhooks hear. */
  takeAtWebhookEvent({ event, nth }: EventAnchor): WebhookFault | undefined {
    return this.#take((fault): fault is WebhookFault => fault.type === "LateWebhook" && fault.at.event === event && fault.at.nth === nth);
  }

  /** Takes the faults of a type that strike at the end of an operation. */
  takeAtOp<Type extends "Restart" | "Burst" | "DeleteChild" | "CrashPods" | "ChangeChild" | "Drift" | "TimeTravel">(
    type: Type,
    op: number,
  ): Extract<Fault, { readonly type: Type }> | undefined {
    return this.#take((fault): fault is Extract<Fault, { readonly type: Type }> => fault.type === type && "op" in fault && fault.op === op);
  }

  #take<F extends Fault>(test: (fault: Fault) => fault is F): F | undefined {
    if (this.#isOver) return undefined;
    for (const fault of this.#faults) {
      if (!test(fault)) continue;
      this.#faults.delete(fault);
      return fault;
    }
    return undefined;
  }

  #count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count;
  }
}

function isSame(left: WriteAnchor, right: WriteAnchor): boolean {
  return left.write === right.write && left.nth === right.nth;
}
