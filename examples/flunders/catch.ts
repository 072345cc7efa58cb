import { computedKind } from "@kaji/apiserver";
import type { ApiServer, Kind } from "@kaji/apiserver";
import { defineResource, z } from "kaji";
import { Flunder } from "./flunder.ts";

export const Catch = defineResource({
  group: "wardle.example.com",
  version: "v1alpha1",
  kind: "Catch",
  plural: "catches",
  description: "How many Flunders a namespace has. It is counted whenever somebody asks, and stored nowhere.",
  spec: z.object({ flunders: z.int32().min(0).describe("How many there are.") }),
  columns: { Flunders: "spec.flunders" },
});

/** One Catch for each namespace that has Flunders, which is called `today`. */
export function catchKind(server: () => ApiServer): Kind {
  return computedKind(Catch.crd(), (namespace) => {
    const counts = flundersByNamespace(server());
    const asked = [...counts].filter(([each]) => namespace === undefined || namespace === each);
    return asked.map(([each, flunders]) => ({
      apiVersion: "wardle.example.com/v1alpha1",
      kind: "Catch",
      metadata: { name: "today", namespace: each },
      spec: { flunders },
    }));
  });
}

function flundersByNamespace({ kinds, registry }: ApiServer): ReadonlyMap<string, number> {
  const prefix = kinds.get(Flunder.group, Flunder.plural)?.storagePrefix ?? "";
  const counts = new Map<string, number>();
  for (const { key } of registry.storage.list(prefix).entries) {
    const [namespace = ""] = key.slice(prefix.length).split("/");
    counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
  }
  return counts;
}
