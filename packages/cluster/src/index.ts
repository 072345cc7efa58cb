export { createApiServer } from "./control-plane.ts";
export type { ClusterServerOptions } from "./control-plane.ts";
export { DataFolderError } from "./data-folder.ts";
export { KubeconfigError } from "./kubeconfig.ts";
export { startControlPlane } from "./start-control-plane.ts";
export type { ControlPlane, ControlPlaneOptions } from "./start-control-plane.ts";
