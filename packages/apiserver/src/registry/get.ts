import { notFound } from "@kaji/core";
import { objectOutcome } from "./outcome.ts";
import type { ObjectOutcome } from "./outcome.ts";
import type { Registry } from "./registry.ts";
import { requiredName } from "./target.ts";
import type { Target } from "./target.ts";

/** GET: reads one object. What is in storage is always the newest, so a resource version to be at least at is met. */
export function get(registry: Registry, target: Target): ObjectOutcome {
  const name = requiredName(target);
  const stored = registry.store(target.kind, target.version).get(target.namespace, name);
  if (stored === undefined) throw notFound(target.kind, name);
  return objectOutcome(200, stored);
}
