import { TransportError } from "@kaji/client";
import { abortable, bodyBytes, bodyFromBytes } from "@kaji/core";
import type { JsonValue, Status, Transport, TransportRequest, TransportResponse } from "@kaji/core";
import { callTrace } from "../call-site.ts";
import { describeFault } from "./describe-fault.ts";
import type { FaultInjector } from "./fault-injector.ts";
import type { HeardEvent } from "./heard-event.ts";
import type { MortalClock } from "./mortal-clock.ts";
import type { ObjectId } from "./object-id.ts";
import { OpenWatches } from "./open-watches.ts";
import type { Downtime, Fault, Interference, RefusedWrite, WriteAnchor } from "./plan.ts";
import { requestTarget } from "./request-target.ts";
import type { RequestTarget } from "./request-target.ts";
import type { Trace } from "./trace.ts";
import type { Write } from "./trace-entry.ts";
import type { FrameFate } from "./watch-stream.ts";
import { writeAnswer } from "./write-answer.ts";
import { writeBody, writeSignature } from "./write-signature.ts";
import { writtenText } from "./written-text.ts";

/** How long a request, an answer or an event is on its way. */
const latencyMs = 2;
/** The fate of most frames. */
const deliver: FrameFate = { type: "Deliver", delayMs: latencyMs };
/** How long an event that is late is late. */
export const lagMs = 4000;
/** How long a call to the outside that is late is on its way. */
const delayMs = 30_000;
/** How long an answer is on its way that something overtakes. */
const overtakenMs = 1000;
/** How long a broken stream stays broken. */
const outageMs = 3000;

/** What an operator's way to the server is made of. */
export interface LinkOptions {
  readonly life: number;
  readonly server: Transport;
  readonly clock: MortalClock;
  readonly injector: FaultInjector;
  readonly trace: Trace;
  /** Whether it is remembered of each write what it is and which line of the operator made it; that takes time. */
  readonly tellsStories: boolean;
  /** The name of the object that a request is about. */
  readonly idOf: (target: RequestTarget, body: JsonValue) => ObjectId;
  /** What changed at a version. */
  readonly changedAt: (version: string) => ObjectId | undefined;
  readonly exists: (id: ObjectId) => boolean;
  /** The name of an object in all runs, even if the server made its name up. */
  readonly stableName: (id: ObjectId) => string;
  readonly revision: () => number;
  readonly opsDone: () => number;
  /** Whether users let time go by. */
  readonly isWaiting: () => boolean;
  /** The number of the reconcile that a request is made in. */
  readonly reconcile: () => number | undefined;
  readonly onCrash: (down: Downtime) => void;
  /** Writes an object in the name of somebody else. */
  readonly interfere: (id: ObjectId, how: Interference["how"]) => Promise<void>;
  /** Answers a call to the outside that is not done. */
  readonly refuseCall: (text: string, words: string | undefined) => Promise<unknown>;
}

/** A call to something outside the cluster. */
export interface OutsideCall {
  /** What is asked, alike in all runs. */
  readonly text: string;
  readonly act: () => Promise<unknown>;
  /** What the outside shows of itself. */
  readonly snapshot: () => string;
  /** Whoever calls gives up with it; what was asked may be done all the same. */
  readonly signal: AbortSignal | undefined;
}

/** Something that can be struck by a fault. */
interface Deed<R> {
  readonly act: () => Promise<R>;
  /** Where it comes from; undefined where stories are not told. */
  readonly stack?: Error | undefined;
  /** Somebody else does something to the same object. */
  readonly disturb?: (how: Interference["how"]) => Promise<void>;
  /** What is heard when it is not done. */
  readonly refused: (fault: RefusedWrite) => R | Promise<R>;
  /** What is heard when it is done, and nobody can know. */
  readonly lost: () => R | Promise<R>;
}

/** A write, and how it is named in a plan. */
interface NamedWrite extends RequestTarget {
  readonly body: JsonValue;
  readonly anchor: WriteAnchor;
  /** Undefined where stories are not told. */
  readonly stack: Error | undefined;
}

/** The way of one life of an operator to the server. Once it is cut, nothing answers any more, and nothing fails: that is how it looks from inside a process that was killed. */
export class OperatorLink {
  readonly #options: LinkOptions;
  readonly #end = new AbortController();
  readonly #watches: OpenWatches;
  /** Of kinds whose watch broke and has not been opened again: until when it cannot be, and whether its history is lost. */
  readonly #outages = new Map<string, { readonly untilMs: number; isLost: boolean }>();
  #inFlight = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#watches = new OpenWatches(options.clock);
  }

  get isBusy(): boolean {
    return this.#inFlight > 0 || this.#outages.size > 0 || this.#watches.isBusy;
  }

  /** Whether a watch is broken. */
  get isCutOff(): boolean {
    return this.#outages.size > 0;
  }

  /** Lets go of events that are held. */
  release(): void {
    this.#watches.release();
  }

  /** From now on there is no answer. */
  cut(): void {
    this.#end.abort(killed);
    this.#watches.clear();
    this.#outages.clear();
    this.#inFlight = 0;
  }

  readonly transport: Transport = async (request) => {
    const target = requestTarget(request);
    if (this.#isCut) return never();
    this.#inFlight++;
    try {
      if (target?.verb === "watch") return await this.#watch(request, target);
      await this.#travel(request.signal);
      const isRead = request.method === "GET" || request.method === "HEAD" || target === undefined;
      const response = isRead ? await this.#send(request) : await this.#write(request, target);
      await this.#travel(request.signal);
      return response;
    } finally {
      if (!this.#isCut) this.#inFlight--;
    }
  };

  /** Does something outside the cluster: it takes its time, and can be struck like a write. */
  async call(call: OutsideCall): Promise<unknown> {
    if (this.#isCut) return never();
    this.#inFlight++;
    const done = this.#called(call).finally(() => {
      if (!this.#isCut) this.#inFlight--;
    });
    try {
      return await abortable(done, call.signal);
    } catch (error) {
      return this.#isCut ? never() : Promise.reject(error);
    }
  }

  async #called({ text, act, snapshot }: OutsideCall): Promise<unknown> {
    const { injector, trace, life, refuseCall } = this.#options;
    await this.#travel(undefined);
    const anchor = injector.anchorOfWrite(`call ${text} -`);
    const result = await this.#struck(anchor, {
      act: async () => {
        const [when, state] = [this.#when(), snapshot()];
        const done = await act();
        const written = { verb: "call", object: text, subresource: undefined, code: 200, uid: undefined, existed: true } as const;
        const isEffective = snapshot() !== state;
        trace.add({ type: "Write", life, anchor, ...written, isEffective, ...when });
        return done;
      },
      refused: ({ words }) => refuseCall(text, words),
      lost: () => Promise.reject(new Error(`${text}: timed out`)),
    });
    await this.#travel(undefined);
    return result;
  }

  #write(request: TransportRequest, target: RequestTarget): Promise<TransportResponse> {
    const { injector, interfere, idOf, tellsStories } = this.#options;
    const body = writeBody(request);
    const anchor = injector.anchorOfWrite(writeSignature(target, body));
    const stack = tellsStories ? callTrace() : undefined;
    return this.#struck<TransportResponse>(anchor, {
      act: () => this.#writeNow(request, { ...target, body: body.json, anchor, stack }),
      stack,
      disturb: (how) => interfere(idOf(target, body.json), how),
      refused,
      lost: () => statusResponse(504, "Timeout", "Timeout: request did not complete within requested timeout - context deadline exceeded"),
    });
  }

  async #writeNow(request: TransportRequest, { body, anchor, stack, ...target }: NamedWrite): Promise<TransportResponse> {
    const { trace, life, idOf, exists, stableName } = this.#options;
    const id = idOf(target, body);
    const object = stableName(id);
    const before = { ...this.#when(), existed: exists(id) };
    const response = await this.#send(request);
    const bytes = await bodyBytes(response.body);
    const answer = writeAnswer(bytes);
    const isDone = response.status < 300;
    const story = stack === undefined ? undefined : { stack, written: writtenText(body, answer) };
    const common = { type: "Write", life, anchor, subresource: target.subresource, code: response.status, ...before } as const;
    if (target.verb === "deletecollection") {
      for (const { name, uid } of answer.items) {
        const item = stableName(idOf({ ...target, name }, null));
        trace.add({ ...common, verb: "delete", object: item, uid, isEffective: isDone }, story);
      }
    } else {
      // What takes the last finalizer away deletes the object, and is answered with the version that it had.
      const isGone = before.existed && !exists(id);
      // What is done to a part, as a binding or an eviction, is answered without the object and its version.
      const version = answer.version === 0 ? this.#options.revision() : answer.version;
      const isEffective = isDone && (target.verb === "delete" || isGone || version > before.revision);
      trace.add({ ...common, verb: target.verb, object, uid: answer.uid, isEffective }, story);
    }
    return { ...response, body: bodyFromBytes(bytes) };
  }

  /** Does something that a fault may strike: before it is done, instead of it, or when it is done and nobody has heard of it. */
  async #struck<R>(anchor: WriteAnchor, { act, stack, disturb, refused, lost }: Deed<R>): Promise<R> {
    const { injector, onCrash } = this.#options;
    const fault = injector.takeAtWrite(anchor);
    if (fault === undefined) return act();
    const strike = (): void => this.#tell(fault, stack);
    const crash = (down: Downtime): Promise<never> => {
      strike();
      onCrash(down);
      return never();
    };
    switch (fault.type) {
      case "Interfere":
        strike();
        await disturb?.(fault.how);
        return act();
      case "Overtake": {
        const answer = await act();
        strike();
        await disturb?.("Delete");
        await this.#pass(overtakenMs);
        return answer;
      }
      case "Refuse":
        strike();
        return refused(fault);
      case "LoseAnswer":
        await act();
        strike();
        return lost();
      case "Delay":
        strike();
        await this.#pass(delayMs);
        return act();
      case "Crash":
        if (fault.point === "After") await act();
        return crash(fault.down);
      default:
        return fault satisfies never;
    }
  }

  #when(): Pick<Write, "revision" | "ops" | "reconcile"> {
    const { revision, opsDone, reconcile } = this.#options;
    return { revision: revision(), ops: opsDone(), reconcile: reconcile() };
  }

  async #watch(request: TransportRequest, target: RequestTarget): Promise<TransportResponse> {
    const { clock } = this.#options;
    await this.#travel(request.signal);
    const outage = this.#outages.get(target.plural);
    if (outage !== undefined && outage.untilMs > clock.monotonic()) throw new TransportError("Unreachable", "connection refused");
    if (outage?.isLost === true) {
      outage.isLost = false;
      if (/[?&]resourceVersion=[1-9]/.test(request.path)) return statusResponse(410, "Expired", "too old resource version");
    }
    const { signal = this.#end.signal } = request;
    const response = await this.#send({ ...request, signal: AbortSignal.any([signal, this.#end.signal]) });
    if (response.status !== 200) return response;
    this.#outages.delete(target.plural);
    return this.#watches.open(request, response, (change) => this.#fateOf(change, target));
  }

  #fateOf(event: HeardEvent | undefined, target: RequestTarget): FrameFate {
    const { injector, trace, life, idOf, changedAt, clock, opsDone, isWaiting } = this.#options;
    if (event === undefined) return deliver;
    const { type, version } = event;
    const object = changedAt(version) ?? idOf({ ...target, ...event.address() }, null);
    const anchor = injector.anchorOfEvent(`${type} ${object}`);
    trace.add({ type: "Heard", life, anchor, object, version, ops: opsDone() });
    const fault = injector.takeAtEvent(anchor);
    if (fault === undefined) return deliver;
    this.#tell(fault);
    // The next operation may be days away, which no watch is behind for.
    if (fault.type === "Lag") return fault.until === "Seconds" || isWaiting() ? { type: "Deliver", delayMs: lagMs } : { type: "Hold" };
    this.#outages.set(target.plural, { untilMs: clock.monotonic() + outageMs, isLost: true });
    return { type: "Break" };
  }

  #tell(fault: Fault, stack?: Error): void {
    const { trace, isWaiting } = this.#options;
    trace.add(
      { type: "Fault", fault, text: describeFault(fault, { isWaiting: isWaiting() }) },
      stack === undefined ? undefined : { stack },
    );
  }

  /** Whoever gives up on the way hears of it where the way ends. */
  async #travel(signal: AbortSignal | undefined): Promise<void> {
    await this.#pass(latencyMs);
    signal?.throwIfAborted();
  }

  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.timer(ms, resolve));
  }

  /** Asks the server, which goes on with what it began when the operator is gone; the operator may be gone when the answer is there. */
  async #send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#options.server(request);
    return this.#isCut ? never() : response;
  }

  get #isCut(): boolean {
    return this.#end.signal.aborted;
  }
}

/** Nobody is told why; an error made each time would take its stack with it. */
const killed = new Error("the process was killed");

function never(): Promise<never> {
  return new Promise(() => {});
}

/** How a server refuses a write that is right. */
function refused({ reason }: RefusedWrite): TransportResponse {
  switch (reason) {
    case undefined:
      return statusResponse(500, "InternalError", "Internal error occurred: etcdserver: leader changed");
    case "ServiceUnavailable":
      return statusResponse(503, reason, "the server is currently unable to handle the request");
    case "TooManyRequests": {
      const response = statusResponse(429, reason, "The apiserver is overloaded, please try again later.");
      return { ...response, headers: { ...response.headers, "retry-after": "1" } };
    }
    default:
      return reason satisfies never;
  }
}

function statusResponse(code: number, reason: NonNullable<Status["reason"]>, message: string): TransportResponse {
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
  return { status: code, headers: { "content-type": "application/json" }, body: bodyFromBytes(Buffer.from(JSON.stringify(status))) };
}
