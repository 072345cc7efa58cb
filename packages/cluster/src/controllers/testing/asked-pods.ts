import { selectorOf } from "@kaji/core";
import type { CacheReads } from "@kaji/runtime";
import type { Pod } from "@kaji/types/core/v1";

/** A cache without pods that writes down which it is asked for. */
export interface AskedPods {
  readonly cache: Pick<CacheReads<Pod>, "by" | "list">;
  readonly asked: readonly string[];
}

export function askedPods(): AskedPods {
  const asked: string[] = [];
  const cache: AskedPods["cache"] = {
    by: (_of, _index, value, query) => {
      asked.push(`${value} of ${query?.namespace}: ${selectorOf(query?.labelSelector ?? "").toString()}`);
      return Iterator.from([]);
    },
    list: (_of, query) => {
      asked.push(`all of ${query?.namespace}: ${selectorOf(query?.labelSelector ?? "").toString()}`);
      return Iterator.from([]);
    },
  };
  return { cache, asked };
}
