import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JsonValue } from "@kaji/core";
import { mixedSchema, pathsOf } from "../testing/mixed-schema.ts";
import { toFieldSet } from "./to-field-set.ts";

suite("[SSA8] a configuration claims", () => {
  const claims: ReadonlyArray<readonly [what: string, config: JsonValue, paths: readonly string[]]> = [
    ["leaves, not structs", { nested: { a: "x", deep: { b: "y" } } }, [".nested.a", ".nested.deep.b"]],
    ["entries of maps", { labels: { a: "1" } }, [".labels.a"]],
    ["empty and null structs and maps", { nested: {}, labels: {} }, [".labels", ".nested"]],
    ["null", { nested: null, size: null, tags: null, any: null }, [".any", ".nested", ".size", ".tags"]],
    ["atomic objects and lists as one", { point: { x: 1 }, steps: ["a"], opaque: { a: { b: 1 } } }, [".opaque", ".point", ".steps"]],
    ["items of sets", { tags: ["a", "b"] }, ['.tags[="a"]', '.tags[="b"]']],
    ["nothing by an empty list that is not atomic", { tags: [], ports: [] }, []],
    [
      "items by their keys, with defaults, and their fields",
      { ports: [{ port: 80, host: "h" }] },
      ['.ports[port=80,protocol="TCP"]', '.ports[port=80,protocol="TCP"].host', '.ports[port=80,protocol="TCP"].port'],
    ],
    ["deduced objects by entry, lists as one", { any: { a: { b: 1 }, l: [1, { c: 2 }] } }, [".any.a", ".any.l", ".any.a.b"]],
  ];
  for (const [what, config, paths] of claims) test(what, () => assert.deepEqual(pathsOf(toFieldSet(config, mixedSchema)), paths));
});
