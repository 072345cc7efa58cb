/** What one package of the house may import. */
export interface Layer {
  /** Folders under `packages/` it may import. */
  readonly packages: readonly string[];
  /** The only packages from elsewhere it may import. Absent: whatever its manifest declares. */
  readonly thirdParty?: readonly string[];
  /** The only modules of Node it may import. Absent: all. */
  readonly builtins?: readonly string[];
}

const mirror = ["core", "types", "client", "informer", "runtime"];
const provable = [...mirror, "cel", "apiserver", "cluster"];
const everything = [...provable, "testing", "manifests", "dashboard", "kaji"];

/** The house: each folder under `packages/` and its arrows. ARCHITECTURE.md draws the same table. */
export const layers: ReadonlyMap<string, Layer> = new Map<string, Layer>([
  ["core", { packages: [], thirdParty: ["zod"], builtins: ["node:crypto", "node:zlib"] }],
  ["types", { packages: ["core"] }],
  ["client", { packages: ["core", "types"] }],
  ["informer", { packages: ["core"] }],
  ["runtime", { packages: ["core", "types", "client", "informer"] }],
  ["cel", { packages: ["core"] }],
  ["apiserver", { packages: ["core", "cel"] }],
  ["cluster", { packages: [...mirror, "apiserver"] }],
  ["testing", { packages: provable }],
  ["manifests", { packages: ["core", "types", "runtime"] }],
  ["dashboard", { packages: ["core", "types", "client"], thirdParty: ["yaml"] }],
  ["kaji", { packages: mirror }],
  ["cli", { packages: everything }],
  ["create-kaji", { packages: ["cli"] }],
]);
