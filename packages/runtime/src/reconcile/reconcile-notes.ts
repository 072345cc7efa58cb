import { parseAddress } from "@kaji/client";
import { formatApiVersion, objectKey, thrownError } from "@kaji/core";
import type { JsonValue, KubeObject, NamespacedName, ObjectKey, Resource } from "@kaji/core";
import { asView } from "@kaji/informer";
import { Pod } from "@kaji/types/core/v1";
import type { Effect, Undo } from "../declare/effect.ts";
import type { CacheReads } from "../declare/reconcile-context.ts";
import type { AllLiveReads } from "./live-reads.ts";
import { checkedResult, isDone } from "../declare/result.ts";
import type { Result } from "../declare/result.ts";
import { reportedObject } from "./reconcile-report.ts";
import { writtenKey } from "../writes/write-address.ts";
import type { WriteAddress } from "../writes/write-address.ts";
import type { ReportedCall, ReportedRead, ReportedWrite, Trigger } from "./reconcile-report.ts";

type CallResult = ReportedCall["result"];

/** Notes what one reconcile reads and writes. */
export class ReconcileNotes {
  readonly triggers: readonly Trigger[];
  readonly reads: ReportedRead[] = [];
  readonly writes: ReportedWrite[] = [];
  readonly calls: ReportedCall[] = [];

  constructor(triggers: readonly Trigger[]) {
    this.triggers = triggers;
  }

  /** Notes that a write begins; call the returned function with its result. */
  write(
    verb: string,
    resource: Resource,
    address: WriteAddress,
    { finalizer, annotation, field, selector, as }: Pick<ReportedWrite, "finalizer" | "annotation" | "field" | "selector" | "as"> = {},
  ): (became: KubeObject | Error | "Done" | "Unchanged") => void {
    const index = this.writes.length;
    const more = {
      ...(finalizer === undefined ? {} : { finalizer }),
      ...(annotation === undefined ? {} : { annotation }),
      ...(field === undefined ? {} : { field }),
      ...(selector === undefined ? {} : { selector }),
      ...(as === undefined ? {} : { as }),
    };
    const object = { ...reportedObject(resource, writtenKey(address)), ...more };
    this.writes.push({ verb, ...object, result: "Sent", error: undefined });
    return (became) => {
      const error = became instanceof Error ? became : undefined;
      const result = error === undefined ? (became === "Unchanged" ? "Unchanged" : "Written") : "Refused";
      const key = typeof became === "string" || became instanceof Error ? object.key : answeredKey(became.metadata, object.key);
      this.writes[index] = { verb, ...object, key, result, error };
    };
  }

  /** The same reads, noted. */
  noting(reads: CacheReads<KubeObject>): CacheReads<KubeObject> {
    return {
      get: (of, address) => {
        const object = reads.get(of, address);
        this.#read("Cache", "get", asView(of).resource, objectKey(parseAddress(address)), object === undefined ? 0 : 1);
        return object;
      },
      list: (of, query) => this.#counted("list", asView(of).resource, reads.list(of, query)),
      by: (of, index, value, query) => this.#counted("by", asView(of).resource, reads.by(of, index, value, query)),
      owned: (of) => this.#counted("owned", asView(of).resource, reads.owned(of)),
      resourceOf: (object) => reads.resourceOf(object),
    };
  }

  /** The same live reads, noted. */
  notingLive(reads: AllLiveReads): AllLiveReads {
    return {
      get: async (resource, address) => {
        const object = await reads.get(resource, address);
        this.#read("Server", "get", resource, objectKey(parseAddress(address)), object === undefined ? 0 : 1);
        return object;
      },
      list: async (resource, options) => {
        const found = await reads.list(resource, options);
        this.#read("Server", "list", resource, undefined, found.items.length);
        return found;
      },
      getScale: async (resource, address) => {
        const scale = await reads.getScale(resource, address);
        this.#read("Server", "get/scale", resource, objectKey(parseAddress(address)), scale === undefined ? 0 : 1);
        return scale;
      },
      logs: (pod, options) => {
        const lines = reads.logs(pod, options);
        this.#read("Server", "get/log", Pod, objectKey(parseAddress(pod)), 1);
        return lines;
      },
      resourceOf: (object) => reads.resourceOf(object),
    };
  }

  /** The same effect, noted. */
  notingEffect<R extends JsonValue>(name: string, effect: Effect<R>): Effect<R> {
    const { inputs } = effect;
    const noting: Effect<R> = {
      ...(inputs === undefined ? {} : { inputs }),
      ensure: (token, signal) =>
        this.#called(
          name,
          "ensure",
          () => effect.ensure(token, signal),
          () => "Done",
        ),
    };
    if (effect.isIntact === undefined) return noting;
    return {
      ...noting,
      isIntact: (token, result, signal) => {
        const look = async (): Promise<boolean> => (await effect.isIntact?.(token, result, signal)) ?? true;
        return this.#called(name, "isIntact", look, (isIt) => (isIt ? "Intact" : "Broken"));
      },
    };
  }

  /** The same undoing, noted. */
  notingUndo(name: string, remove: Undo<JsonValue>): Undo<JsonValue> {
    const left = (result: Result): CallResult => (isDone(checkedResult(result)) ? "Done" : "Unfinished");
    return (token, result, signal) => this.#called(name, "undo", () => remove(token, result, signal), left);
  }

  async #called<A>(effect: string, call: ReportedCall["call"], ask: () => Promise<A>, resultOf: (answer: A) => CallResult): Promise<A> {
    const index = this.calls.length;
    const note = (result: CallResult, error?: Error): void => void (this.calls[index] = { effect, call, result, error });
    note("Sent");
    try {
      const answer = await ask();
      note(resultOf(answer));
      return answer;
    } catch (error) {
      note("Failed", thrownError(error));
      throw error;
    }
  }

  #read(
    from: ReportedRead["from"],
    verb: ReportedRead["verb"],
    resource: Resource,
    key: ObjectKey | undefined,
    found: number,
  ): { found: number } {
    const read = { from, verb, apiVersion: formatApiVersion(resource), kind: resource.kind, key, found };
    this.reads.push(read);
    return read;
  }

  /** Counts lazily: a reconcile that takes only the first of many objects has read one. */
  #counted<T>(verb: ReportedRead["verb"], resource: Resource, objects: Iterable<T>): IteratorObject<T, undefined> {
    const read = this.#read("Cache", verb, resource, undefined, 0);
    return Iterator.from(objects).map((object) => {
      read.found++;
      return object;
    });
  }
}

/** What is answered without a name, such as the Status of a Binding, is known by what was written. */
function answeredKey({ namespace, name }: Partial<NamespacedName>, written: ObjectKey): ObjectKey {
  return name === undefined || name === "" ? written : objectKey({ namespace, name });
}
