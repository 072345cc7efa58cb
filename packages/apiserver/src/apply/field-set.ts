import { fieldElement, sortElements } from "./path-element.ts";
import type { Path, PathElement } from "./path-element.ts";

const none: ReadonlyMap<PathElement, FieldSet> = new Map();

/** How a path is written that has nothing below it. */
/** A set of paths as `managedFields` carries it: one key per step, `.` where a path with others below it is in the set itself. */
export type FieldsV1 = Readonly<Record<string, unknown>>;

const nothing: FieldsV1 = {};

/**
 * A set of paths, as a tree: what a manager owns of an object, or what changed in one. Immutable; operations that change
 * nothing return the set they were called on, so that identity tells whether anything happened.
 */
export class FieldSet {
  /** Whether the path that leads here is in the set. Never so at the root: an object as such has no owner. */
  readonly member: boolean;
  /** The parts below. None of them is empty. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;
  #encoded: FieldsV1 | undefined;

  private constructor(member: boolean, children: ReadonlyMap<PathElement, FieldSet>) {
    this.member = member;
    this.children = children;
  }

  /** No path at all. */
  static readonly empty: FieldSet = new FieldSet(false, none);
  /** The path that leads here, and nothing below it. */
  static readonly leaf: FieldSet = new FieldSet(true, none);

  /** The set of these parts; the caller gives up the map. */
  static parts(children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
    return children.size === 0 ? FieldSet.empty : new FieldSet(false, children);
  }

  /** The set of these parts and the path that leads here; the caller gives up the map. */
  static whole(children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
    return children.size === 0 ? FieldSet.leaf : new FieldSet(true, children);
  }

  /** The set of these paths. */
  static of(...paths: readonly Path[]): FieldSet {
    return paths.reduce<FieldSet>((set, path) => set.union(branch(path)), FieldSet.empty);
  }

  /** The set of fields at these paths of names, such as `["metadata", "labels"]`. */
  static ofFields(...paths: ReadonlyArray<readonly string[]>): FieldSet {
    return FieldSet.of(...paths.map((path) => path.map(fieldElement)));
  }

  get isEmpty(): boolean {
    return !this.member && this.children.size === 0;
  }

  /** The set as `managedFields` carries it, keys in their order. Written once: who owns a set owns it from one write to the next. */
  get encoded(): FieldsV1 {
    return (this.#encoded ??= this.#encode());
  }

  has(path: Path): boolean {
    const [first, ...rest] = path;
    return first === undefined ? this.member : (this.children.get(first)?.has(rest) ?? false);
  }

  /** The paths of either. */
  union(other: FieldSet): FieldSet {
    if (other === this || other.isEmpty) return this;
    if (this.isEmpty) return other;
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, theirs] of other.children) {
      const mine = this.children.get(element);
      const both = mine?.union(theirs) ?? theirs;
      if (both !== mine) (children ??= new Map(this.children)).set(element, both);
    }
    return this.#replaced(this.member || other.member, children);
  }

  /** The paths of both. */
  intersection(other: FieldSet): FieldSet {
    if (other === this) return this;
    return this.#filtered(this.member && other.member, (mine, element) => {
      const theirs = other.children.get(element);
      return theirs === undefined ? FieldSet.empty : mine.intersection(theirs);
    });
  }

  /** The paths that the other has not. A path's parts are paths of their own: they stay when only the whole is taken away. */
  difference(other: FieldSet): FieldSet {
    if (other === this) return FieldSet.empty;
    if (other.children.size === 0) return other.member ? this.#replaced(false, undefined) : this;
    return this.#filtered(this.member && !other.member, (mine, element) => {
      const theirs = other.children.get(element);
      return theirs === undefined ? mine : mine.difference(theirs);
    });
  }

  /** The paths that the other has not, and that are not below one that it has. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.member) return FieldSet.empty;
    if (other.children.size === 0) return this;
    return this.#filtered(this.member, (mine, element) => {
      const theirs = other.children.get(element);
      return theirs === undefined ? mine : mine.recursiveDifference(theirs);
    });
  }

  /** The paths that have none below them in the set. */
  leaves(): FieldSet {
    return this.#filtered(this.member && this.children.size === 0, (child) => child.leaves());
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.member !== other.member || this.children.size !== other.children.size) return false;
    for (const [element, mine] of this.children) {
      const theirs = other.children.get(element);
      if (theirs === undefined || !mine.equals(theirs)) return false;
    }
    return true;
  }

  /** The same with other parts; the caller gives up the map. */
  withParts(children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
    return this.#replaced(this.member, children);
  }

  /** All paths in their order: those of one level before those further down. */
  *paths(prefix: Path = []): Generator<Path, void> {
    const elements = sortElements(this.children.keys());
    for (const element of elements) {
      if (this.children.get(element)?.member === true) yield [...prefix, element];
    }
    for (const element of elements) yield* this.children.get(element)?.paths([...prefix, element]) ?? [];
  }

  #encode(): FieldsV1 {
    const encoded: Record<string, unknown> = this.member ? { ".": nothing } : {};
    for (const element of sortElements(this.children.keys())) {
      const child = this.children.get(element) ?? FieldSet.leaf;
      encoded[element] = child.children.size === 0 ? nothing : child.encoded;
    }
    return encoded;
  }

  /** Same parts but for those the function changes; parts it empties are gone. */
  #filtered(member: boolean, change: (child: FieldSet, element: PathElement) => FieldSet): FieldSet {
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, child] of this.children) {
      const changed = change(child, element);
      if (changed === child) continue;
      children ??= new Map(this.children);
      if (changed.isEmpty) children.delete(element);
      else children.set(element, changed);
    }
    return this.#replaced(member, children);
  }

  #replaced(member: boolean, children: ReadonlyMap<PathElement, FieldSet> | undefined): FieldSet {
    if (member === this.member && children === undefined) return this;
    return member ? FieldSet.whole(children ?? this.children) : FieldSet.parts(children ?? this.children);
  }
}

function branch(path: Path): FieldSet {
  return path.reduceRight<FieldSet>((below, element) => FieldSet.parts(new Map([[element, below]])), FieldSet.leaf);
}
