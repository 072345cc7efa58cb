import type { DynamicObject } from "@kaji/core";
import { appliedLeaves } from "../simulation/applied-leaves.ts";
import type { Leaf } from "../simulation/applied-leaves.ts";
import { objectId } from "../simulation/object-id.ts";
import type { ObjectId } from "../simulation/object-id.ts";
import type { OtherClient } from "../simulation/other-client.ts";
import type { Fault } from "../simulation/plan.ts";
import type { WorldState } from "../simulation/world-state.ts";
import { otherTexts } from "./other-values.ts";

/** Whether a field of an object counts. */
type IsCompared = (object: DynamicObject, field: string) => boolean;

/** What others can change of children: each field that the operator applies, once, where it is first there at rest. */
export class ChildChanges {
  readonly accepted: Fault[] = [];
  readonly #isCompared: IsCompared;
  readonly #seen = new Set<string>();
  /** By the operation after which they are there. */
  readonly #leaves = new Map<number, { readonly object: ObjectId; readonly leaf: Leaf }[]>();

  constructor(isCompared: IsCompared) {
    this.#isCompared = isCompared;
  }

  /** Whether there is nothing to change. */
  get isEmpty(): boolean {
    return this.#leaves.size === 0;
  }

  /** Looks at a child that is there at rest after an operation. */
  see(op: number, child: DynamicObject): void {
    const object = objectId(child);
    for (const leaf of appliedLeaves(child)) {
      const place = `${object} ${leaf.field}`;
      if (this.#seen.has(place) || !this.#isCompared(child, leaf.field)) continue;
      this.#seen.add(place);
      this.#leaves.set(op, [...(this.#leaves.get(op) ?? []), { object, leaf }]);
    }
  }

  /** Finds out, at rest after an operation, what the server accepts. Nothing is changed by that. */
  async tryOut(op: number, other: OtherClient, state: WorldState): Promise<void> {
    for (const { object, leaf } of this.#leaves.get(op) ?? []) {
      const child = state.find(object);
      if (child === undefined) continue;
      for (const value of otherLeafValues(leaf)) {
        if (!(await other.change(child, { ...leaf, value }, { dryRun: true }))) continue;
        this.accepted.push({ type: "ChangeChild", op, object, field: leaf.field, value });
        break;
      }
    }
  }
}

function otherLeafValues({ value }: Leaf): readonly Leaf["value"][] {
  switch (typeof value) {
    case "boolean":
      return [!value];
    case "number":
      return [value + 1, value - 1];
    default:
      return otherTexts(value);
  }
}
