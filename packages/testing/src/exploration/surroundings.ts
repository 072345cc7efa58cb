import { jsonOf, parseJsonPointer, structuralEqual } from "@kaji/core";
import type { DynamicObject } from "@kaji/core";
import { kindOfId, objectId, stableName } from "../simulation/object-id.ts";
import type { Fault } from "../simulation/plan.ts";
import { ChildChanges } from "./child-changes.ts";
import { childrenAtRest } from "./children-at-rest.ts";
import type { ChildAtRest } from "./children-at-rest.ts";
import { outsideSubject } from "./end-state.ts";
import type { Experiment } from "./experiment.ts";
import { keptAtRest } from "./kept-objects.ts";
import { isWithin } from "./masked-fields.ts";
import { isRetained } from "./retained.ts";
import { madeBy } from "./run-outcome.ts";
import type { RunOutcome } from "./run-outcome.ts";
import { hasUserFields } from "./user-fields.ts";

/** What others can reach of what the operator makes. */
export interface Surroundings {
  readonly children?: readonly ChildAtRest[];
  /** Of fields of children. */
  readonly changes?: readonly Fault[];
  /** Of what is outside. */
  readonly drifts?: readonly Fault[];
  /** How the outside refuses calls, by name. */
  readonly refusals?: readonly string[];
}

/** What there was for others to reach in a run in which nothing went wrong. Places in the `mask` differ from run to run. */
export async function surroundingsOf(experiment: Experiment, reference: RunOutcome, mask: ReadonlySet<string>): Promise<Surroundings> {
  const children = childrenOf(experiment, reference);
  return {
    children,
    changes: await changesOf(experiment, reference, { children, mask }),
    drifts: driftsOf(experiment, reference),
    refusals: Object.keys(experiment.options.refusals ?? {}),
  };
}

/**
 * The children, and what is looked after like them, that there are at rest, after each operation, but for those that are kept as history, adopted, or changed by users, and namespaces that users have put something into: nobody makes
 * them anew as they are.
 */
function childrenOf({ options, primaries, controllers }: Experiment, reference: RunOutcome): readonly ChildAtRest[] {
  const made = madeBy(reference);
  return [...reference.rests].flatMap(([op, { objects }]) => {
    const settled = new Set([...objects.values()].filter(hasUserFields).map(({ metadata }) => metadata.namespace));
    const isSettled = ({ kind, metadata }: DynamicObject): boolean => kind === "Namespace" && settled.has(metadata.name);
    const own = [...objects].filter(([, object]) => made.has(object.metadata.uid ?? "") && !hasUserFields(object) && !isSettled(object));
    const looked = [...childrenAtRest(op, own, primaries), ...keptAtRest(op, own, controllers)];
    const { retained = [] } = options;
    return looked.filter(({ object }) => !isRetained(retained, object, objects.get(object)?.metadata.labels));
  });
}

/** What others can make of the fields of children that the operator applies, as far as the server lets them. What is not compared may be as others want it. */
async function changesOf(
  experiment: Experiment,
  { plan, rests }: RunOutcome,
  { children, mask }: { readonly children: readonly ChildAtRest[]; readonly mask: ReadonlySet<string> },
): Promise<readonly Fault[]> {
  const changes = new ChildChanges((object, field) => !isMasked(experiment, mask, object, field));
  for (const { op, object } of children) {
    const child = rests.get(op)?.objects.get(object);
    if (child !== undefined) changes.see(op, child);
  }
  if (changes.isEmpty) return [];
  await experiment.run(plan, { atRest: ({ other, state }, op) => changes.tryOut(op, other, state) });
  return changes.accepted;
}

function isMasked({ masked }: Experiment, mask: ReadonlySet<string>, object: DynamicObject, field: string): boolean {
  const name = `${stableName(objectId(object), object)} `;
  const places = [...mask].filter((place) => place.startsWith(name)).map((place) => place.slice(name.length));
  return isWithin(jsonOf(object), parseJsonPointer(field) ?? [], [...masked.pathsOf(kindOfId(objectId(object))), ...places]);
}

/** What others can do outside: each change, at rest after each operation that left something there. */
function driftsOf({ options, emptyOutside }: Experiment, { rests }: RunOutcome): readonly Fault[] {
  const changes = Object.keys(options.drift ?? {});
  const filled = [...rests].filter(([, { state }]) => !structuralEqual(state.get(outsideSubject), emptyOutside));
  return changes.flatMap((change) => filled.map(([op]): Fault => ({ type: "Drift", op, change })));
}
