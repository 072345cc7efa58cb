export type { Environment } from "./program-folder.ts";
export { programNames } from "./programs.ts";
export type { ProgramName } from "./programs.ts";
export type { ProgressOutput } from "./progress.ts";
export { providePrograms } from "./provide-programs.ts";
export type { ProvideOptions } from "./provide-programs.ts";
export { startKube } from "./start-kube.ts";
export type { Kube, KubeOptions } from "./start-kube.ts";
