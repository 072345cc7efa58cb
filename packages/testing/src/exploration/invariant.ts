import { AssertionError } from "node:assert";
import { jsonOf, parseObjectKey } from "@kaji/core";
import type { KubeObject } from "@kaji/core";
import { outsideText } from "../simulation/external-world.ts";
import { idOf, kindName } from "../simulation/object-id.ts";
import { shortText } from "../simulation/short-text.ts";
import type { World } from "../simulation/world-state.ts";

/** Something that must hold in the world, and outside the cluster. One that throws an assertion says by it what is wrong. */
export type Invariant<External extends object = object> = (world: World, external: External) => boolean;

/** So many objects that were looked at are told of. */
const mostSights = 4;

/** What there was when an invariant did not hold, as far as it looked at it. */
export interface Breach {
  /** The objects that it looked at. */
  readonly objects: readonly string[];
  /** The same in words, after what it said itself. */
  readonly details: readonly string[];
}

/** Asks whether an invariant holds: undefined if it does. */
export function breachOf(holds: Invariant, world: World, external: object): Breach | undefined {
  const objection = objectionOf(holds, world, external);
  if (objection === undefined) return undefined;
  // It is asked once more, to see what it looks at: most of the time it holds, and nobody wants to know.
  const sights = new Map<string, KubeObject | undefined>();
  objectionOf(holds, watched(world, sights), external);
  const told = [...sights].slice(0, mostSights).map(([name, object]) => sightText(name, object));
  const more = sights.size > mostSights ? [`and at ${sights.size - mostSights} more objects`] : [];
  const outside = holds.length > 1 ? [`outside there is ${shortText(outsideText(external))}`] : [];
  return { objects: [...sights.keys()], details: [...objection, ...told, ...more, ...outside] };
}

/** What an invariant says when it does not hold, which may be nothing; undefined if it holds. */
function objectionOf(holds: Invariant, world: World, external: object): readonly string[] | undefined {
  try {
    return holds(world, external) ? undefined : [];
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    return [
      error.message
        .split("\n")
        .filter((line) => line !== "")
        .join(" "),
    ];
  }
}

/** The same world, with a note of each object that is looked at. */
function watched(world: World, sights: Map<string, KubeObject | undefined>): World {
  return {
    get: (kind, address) => {
      const object = world.get(kind, address);
      sights.set(idOf(kind.group, kind.kind, parseObjectKey(address)), object);
      return object;
    },
    list: (kind, namespace) => {
      const objects = world.list(kind, namespace);
      for (const object of objects) sights.set(idOf(kind.group, kind.kind, object.metadata), object);
      if (objects.length === 0) sights.set(`any ${kindName(kind.group, kind.kind)}`, undefined);
      return objects;
    },
  };
}

function sightText(name: string, object: KubeObject | undefined): string {
  if (object === undefined) return `it looked for ${name}, and there is none`;
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, status, ...content } = jsonOf(object);
  const going = object.metadata.deletionTimestamp === undefined ? "" : ", which is to go,";
  return `it looked at ${name}@${object.metadata.resourceVersion ?? ""}${going} ${shortText(JSON.stringify({ status, ...content }))}`;
}
