/** Stands in a path for every item of a list. */
export const eachItem: unique symbol = Symbol("each item");

/** Leads from an object to fields in it, one step per level. */
export type ScanPath = readonly (string | typeof eachItem)[];

/** What to find in objects, and what to leave out of them. */
export interface ScanRequest {
  /** Fields to find, in the order in which the scanner numbers them. */
  readonly find: readonly ScanPath[];
  /** Fields to cut out, wherever there is something to find around them. */
  readonly cut?: readonly ScanPath[];
  /** Whether to cut out whatever is on the top level and not on the way to something to find. */
  readonly cutOthers?: boolean;
}

/** One level of what to find. */
export interface PlanNode {
  readonly fields: PlanField[];
  /** The same fields, by the length of their names in bytes. */
  readonly byLength: PlanField[][];
  /** What to find in each item, if the value is a list. */
  items: PlanNode | undefined;
  /** Numbers of all that is found at this level or below. */
  readonly below: number[];
  /** Numbers of the value itself; none if it is not looked for. */
  readonly here: number[];
  cutOthers: boolean;
}

/** A field of an object that leads to something. */
export interface PlanField {
  readonly name: string;
  /** The name as it usually stands in the text; written with escapes it is the same field. */
  readonly bytes: Uint8Array;
  readonly node: PlanNode;
  /** One of 32 bits, in turn. */
  readonly bit: number;
  cut: boolean;
}

/** Makes a tree of the paths, so that a scan takes each field of an object once. */
export function compilePlan({ find, cut = [], cutOthers = false }: ScanRequest): PlanNode {
  const root = emptyNode();
  root.cutOthers = cutOthers;
  for (const [number, path] of find.entries()) {
    let node = root;
    node.below.push(number);
    for (const step of path) {
      node = step === eachItem ? (node.items ??= emptyNode()) : fieldOf(node, step).node;
      node.below.push(number);
    }
    node.here.push(number);
  }
  for (const path of cut) markCut(root, path);
  return root;
}

function markCut(root: PlanNode, path: ScanPath): void {
  let node = root;
  for (const [index, step] of path.entries()) {
    if (step === eachItem) throw new TypeError("items of lists cannot be cut out");
    const field = fieldOf(node, step);
    if (index === path.length - 1) field.cut = true;
    node = field.node;
  }
}

function fieldOf(node: PlanNode, name: string): PlanField {
  const known = node.fields.find((field) => field.name === name);
  if (known !== undefined) return known;
  const bytes = Buffer.from(name);
  const field = { name, bytes, node: emptyNode(), bit: 1 << (node.fields.length % 32), cut: false };
  node.fields.push(field);
  (node.byLength[bytes.length] ??= []).push(field);
  return field;
}

function emptyNode(): PlanNode {
  return { fields: [], byLength: [], items: undefined, below: [], here: [], cutOthers: false };
}
