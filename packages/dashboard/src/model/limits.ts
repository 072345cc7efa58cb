/** What a dashboard keeps at most, however large the cluster is and however long it runs. */
export interface Limits {
  /** Objects of one kind. Of more than these it is known only how many there are. */
  readonly objectsPerKind: number;
  /** Of the last versions of objects, as JSON. Of an object beyond that, the next change is told without what it was before. */
  readonly versionBytes: number;
  /** Changes in all, and of one object. */
  readonly changes: number;
  readonly changesPerObject: number;
  /** Of one change. */
  readonly fieldsPerChange: number;
  /** Characters of a value in a change. */
  readonly valueLength: number;
  readonly events: number;
  /** Children shown of one object in a tree, and levels. */
  readonly childrenInTree: number;
  readonly treeDepth: number;
  /** Pages that are open at once. */
  readonly pages: number;
}

/** What is kept unless said otherwise: at the worst some 100 MB, and about one for the rows of each kind. On a cluster for development it is one or two in all. */
export const defaultLimits: Limits = {
  objectsPerKind: 2000,
  versionBytes: 32 * 1024 * 1024,
  changes: 2000,
  changesPerObject: 100,
  fieldsPerChange: 20,
  valueLength: 200,
  events: 2000,
  childrenInTree: 50,
  treeDepth: 12,
  pages: 16,
};
