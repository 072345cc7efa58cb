import { objectAt, parseJson, stringifyJson, structuralEqual } from "@kaji/core";
import type { JsonObject, JsonValue, KubeObject, Random } from "@kaji/core";
import { checkedResult, isDone } from "../declare/result.ts";
import type { Effect, Undo } from "../declare/effect.ts";
import type { OwnAnnotations } from "./own-annotations.ts";
import { UnfinishedUndo } from "./unfinished-undo.ts";

/** How an effect is recorded: before the first call as an intent, and after it with what came of it. */
type EffectRecord = {
  readonly token: string;
  readonly inputs: JsonValue;
  /** Absent until `ensure` has done it. */
  readonly result?: JsonValue;
};

/** Where effects are recorded, and what they are made with. */
export interface EffectStore extends OwnAnnotations {
  readonly signal: AbortSignal;
  readonly random: Random;
  /** Lets the effects of a reconcile be begun one after the other: each is based on what the one before has written. */
  readonly inTurn: <R>(begin: () => Promise<R>) => Promise<R>;
}

/**
 * Makes something outside the cluster. That it is about to be made is recorded in an annotation of the object before the call, with a token, and the result after it: whatever happens in between,
 * the next reconcile knows what to look for, and nothing is made twice or left behind.
 */
export async function ensureEffect<R extends JsonValue>(store: EffectStore, annotation: string, effect: Effect<R>): Promise<R> {
  const { inputs = null } = effect;
  const known = recordOf(store.present(), annotation);
  // Only this function writes the annotation, always with a result of this effect.
  if (known?.result !== undefined && structuralEqual(known.inputs, inputs))
    return maintain(store, annotation, { ...known, result: known.result as R }, effect);
  const record: EffectRecord = { token: known?.token ?? store.random.uuid(), inputs };
  if (known === undefined) {
    const isBegun = await store.inTurn(() => begin(store, annotation, record));
    if (!isBegun) return ensureEffect(store, annotation, effect);
  } else if (known.result !== undefined || !structuralEqual(known.inputs, inputs)) await write(store, annotation, record);

  const result = await effect.ensure(record.token, store.signal);
  await write(store, annotation, { ...record, result });
  return result;
}

/** Records the first intent; false if there is one by now. Another program may have begun the effect without the cache knowing it yet: that is a Conflict. */
async function begin(store: EffectStore, annotation: string, record: EffectRecord): Promise<boolean> {
  const present = store.present();
  if (recordOf(present, annotation) !== undefined) return false;
  await write(store, annotation, record, present);
  return true;
}

/** Makes again what is no longer as it was made. Its token is recorded already, so that there is no intent to record. */
async function maintain<R extends JsonValue>(
  store: EffectStore,
  annotation: string,
  known: EffectRecord & { readonly result: R },
  effect: Effect<R>,
): Promise<R> {
  const { token } = known;
  if ((await effect.isIntact?.(token, known.result, store.signal)) ?? true) return known.result;
  const result = await effect.ensure(token, store.signal);
  if (!structuralEqual(result, known.result)) await write(store, annotation, { ...known, result });
  return result;
}

/** Undoes what was made, or may have been made, and forgets it when that is done. Does nothing if it was never begun. Throws `UnfinishedUndo` while it is not done. */
export async function undoEffect(store: EffectStore, annotation: string, remove: Undo<JsonValue>): Promise<void> {
  const known = recordOf(store.present(), annotation);
  if (known === undefined) return;
  const result = checkedResult(await remove(known.token, known.result, store.signal));
  if (!isDone(result)) throw new UnfinishedUndo(result);
  await store.annotate({ name: annotation, text: null });
}

function write({ annotate }: EffectStore, annotation: string, record: EffectRecord, basis?: KubeObject): Promise<unknown> {
  return annotate({ name: annotation, text: stringifyJson(record) }, basis);
}

function recordOf(object: KubeObject | undefined, annotation: string): EffectRecord | undefined {
  const text = object?.metadata.annotations?.[annotation];
  if (text === undefined) return undefined;
  const record = parsed(text);
  const { token, inputs = null, result } = record;
  if (typeof token !== "string")
    throw new TypeError(`annotation ${annotation} is not the record of an effect: remove the annotation to start over`);
  return { token, inputs, ...(result === undefined ? {} : { result }) };
}

function parsed(text: string): JsonObject {
  try {
    return objectAt(parseJson(text));
  } catch {
    return {};
  }
}
