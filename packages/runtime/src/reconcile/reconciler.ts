import { SpanStatusCode, trace } from "@opentelemetry/api";
import type { Span } from "@opentelemetry/api";
import { addFinalizer, formatKind, hasFinalizer, isReason, removeFinalizer } from "@kaji/core";
import type { KubeObject, ObjectKey } from "@kaji/core";
import type { ContextParts } from "./create-context.ts";
import { openContext } from "./create-context.ts";
import { remembering } from "./forgotten-promises.ts";
import type { ReconcileAttempt } from "./reconcile-attempt.ts";
import { endingOf, endingOfFailure } from "./reconcile-outcome.ts";
import type { Ending } from "./reconcile-outcome.ts";
import type { Result } from "../declare/result.ts";
import { thrownError } from "../thrown-error.ts";

const tracer = trace.getTracer("@kaji/runtime");

/** Brings one object to what is wanted: it calls the user's code in its context, and sees to the finalizer and to children that are wanted no longer. */
export class Reconciler {
  readonly #parts: ContextParts;

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  /** The object as it is now; undefined if it is gone. */
  present(key: ObjectKey): KubeObject | undefined {
    const { mirrors, controller } = this.#parts;
    return mirrors.lister(controller.resource).get(key);
  }

  /** Reconciles the object; whatever happens is in the ending, and nothing is thrown. */
  async reconcile(attempt: ReconcileAttempt, object: KubeObject): Promise<Ending> {
    const { controller } = this.#parts;
    const attributes = {
      "kaji.controller": controller.name,
      "kaji.reconcile_id": attempt.id,
      "k8s.object.kind": formatKind(controller.resource),
      "k8s.object.key": attempt.key,
    };
    return tracer.startActiveSpan(`reconcile ${controller.name}`, { attributes }, async (span) => {
      const ending = await this.#attempt(attempt, object);
      endSpan(span, ending);
      return ending;
    });
  }

  async #attempt(attempt: ReconcileAttempt, object: KubeObject): Promise<Ending> {
    try {
      const result = await remembering(attempt, () => this.#run(attempt, object));
      return attempt.panic === undefined ? endingOf(result) : endingOfFailure(attempt.panic.error, attempt.signal);
    } catch (error) {
      return endingOfFailure(thrownError(error), attempt.signal);
    }
  }

  async #run(attempt: ReconcileAttempt, object: KubeObject): Promise<Result> {
    const { controller, children } = this.#parts;
    const { finalizer, finalize } = controller;
    const isGoing = object.metadata.deletionTimestamp !== undefined;
    if (finalizer !== undefined && finalize !== undefined) {
      if (isGoing) return this.#finalize(attempt, object, finalizer);
      if (!hasFinalizer(object, finalizer)) {
        const guarded = await this.#patchFinalizers(attempt, addFinalizer(object, finalizer));
        return guarded === undefined ? undefined : this.#run(attempt, guarded);
      }
    }
    const { context, scope } = openContext(this.#parts, attempt, object);
    const result = await controller.reconcile(object as never, context as never);
    // Who asks for the same again at once has not finished.
    if (result?.type !== "Requeue" && !isGoing && attempt.panic === undefined) await children.prune(scope);
    return result;
  }

  async #finalize(attempt: ReconcileAttempt, object: KubeObject, finalizer: string): Promise<Result> {
    if (!hasFinalizer(object, finalizer)) return undefined;
    const { context } = openContext(this.#parts, attempt, object);
    const result = await this.#parts.controller.finalize?.(object as never, context as never);
    if (result !== undefined) return result;
    // It may have been written meanwhile, by the finalizer itself too.
    const present = this.present(attempt.key);
    if (present === undefined || present.metadata.uid !== object.metadata.uid) return undefined;
    await this.#patchFinalizers(attempt, removeFinalizer(present, finalizer));
    return undefined;
  }

  /** The object with these finalizers; undefined if it is gone. */
  async #patchFinalizers(attempt: ReconcileAttempt, { metadata }: KubeObject): Promise<KubeObject | undefined> {
    const { controller, writes } = this.#parts;
    const { finalizers = [], resourceVersion } = metadata;
    // A list is replaced as a whole, so that the version must be the one that was looked at.
    const patch = { metadata: { finalizers, ...(resourceVersion === undefined ? {} : { resourceVersion }) } };
    try {
      return await writes.for(attempt).mergePatch(controller.resource, metadata, patch);
    } catch (error) {
      if (isReason(error, "NotFound")) return undefined;
      throw error;
    }
  }
}

/** Says in a span how it ended. */
function endSpan(span: Span, ending: Ending): void {
  span.setAttribute("kaji.outcome", ending.type);
  if ("error" in ending && ending.type !== "Conflict") span.setStatus({ code: SpanStatusCode.ERROR, message: String(ending.error) });
  span.end();
}
