export { packPackages } from "./pack-packages.ts";
export type { PackedPackage } from "./pack-packages.ts";
