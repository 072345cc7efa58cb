import type { KubeObject, ObjectKey } from "@kaji/core";
import type { SourceContext } from "../declare/source.ts";

/** Asks for the objects that something from outside means. What a mapping throws is told of, with `fields`, and stops nothing else: what comes next may be understood. */
export function enqueueMapped(
  { log, enqueue }: Pick<SourceContext<KubeObject>, "log" | "enqueue">,
  fields: Readonly<Record<string, unknown>>,
  toKeys: () => Iterable<ObjectKey | string>,
): void {
  try {
    for (const key of toKeys()) enqueue(key);
  } catch (error) {
    log.error({ err: error, ...fields }, "source mapping threw; its keys are not enqueued");
  }
}
