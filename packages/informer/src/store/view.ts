import type { KubeObject, Resource } from "@kaji/core";
import type { DeepReadonly } from "@kaji/core/define";

declare const viewType: unique symbol;
declare const wholeType: unique symbol;

/** How much of the objects of a kind an informer keeps, and the static type of what is left. A resource by itself means whole objects. */
export type View<T extends KubeObject> = ViewShape & {
  /** Carries the type only; no value has it. */
  readonly [viewType]?: T;
};

/** Marks the type of an object of which only a part is kept, so that a whole one is not taken for it. It exists in types only. */
export interface PartOf<T extends KubeObject> {
  readonly [wholeType]: () => T;
}

/** An object of which only the metadata is kept. */
export type MetadataOf<T extends KubeObject> = Pick<T, keyof KubeObject> & PartOf<T>;

/** The type of the whole object, of a part as well as of itself. */
export type WholeOf<T extends KubeObject> = T extends PartOf<infer Whole> ? Whole : T;

type ViewShape =
  | { readonly type: "Whole"; readonly resource: Resource }
  | { readonly type: "Metadata"; readonly resource: Resource }
  | { readonly type: "Without"; readonly resource: Resource; readonly fields: readonly string[] }
  | { readonly type: "Transformed"; readonly resource: Resource; readonly transform: (object: never) => KubeObject };

/** Metadata alone: neither sent by the server nor kept here is anything else. */
export function metadataOf<T extends KubeObject>(resource: Resource<T>): View<MetadataOf<T>> {
  return { type: "Metadata", resource };
}

/** Objects without some of their fields, such as a Secret without its `data`. They are cut out before anything is kept. */
export function without<T extends KubeObject, Field extends Exclude<keyof T & string, keyof KubeObject>>(
  resource: Resource<T>,
  ...fields: readonly Field[]
): View<Omit<T, Field> & KubeObject & PartOf<T>> {
  return { type: "Without", resource, fields: fields.toSorted() };
}

/** Whatever a function makes of each object. It parses every object that comes in; the metadata that identifies it must stay. */
export function transformed<T extends KubeObject, P extends KubeObject>(
  resource: Resource<T>,
  transform: (object: DeepReadonly<T>) => P,
): View<P & PartOf<T>> {
  return { type: "Transformed", resource, transform };
}

/** A view, from a view or a resource. */
export function asView<T extends KubeObject>(of: Resource<T> | View<T>): View<T> {
  return "resource" in of ? of : { type: "Whole", resource: of };
}

/** Whether one view has all that another has, so that it can stand in for it. */
export function covers(view: View<KubeObject>, other: View<KubeObject>): boolean {
  if (!isSameResource(view.resource, other.resource)) return false;
  switch (other.type) {
    case "Whole":
      return view.type === "Whole";
    case "Metadata":
      return view.type !== "Transformed";
    case "Without":
      return view.type === "Without" && view.fields.join() === other.fields.join();
    case "Transformed":
      return view.type === "Transformed" && view.transform === other.transform;
    default:
      return other satisfies never;
  }
}

/** Whether two resources are the same collection of a server. */
export function isSameResource(left: Resource, right: Resource): boolean {
  return left.group === right.group && left.version === right.version && left.plural === right.plural;
}
