export type { Cluster, ClusterOptions, ClusterSnapshot, RestoreOptions } from "./cluster.ts";
export { createApiServer } from "./create-api-server.ts";
export type { ClusterServerOptions } from "./create-api-server.ts";
export type { AdmissionChoice } from "./admission/default-admission.ts";
export { builtinControllers } from "./controllers/builtin-controllers.ts";
export type { BuiltinController, RunningBuiltin } from "./controllers/builtin-controllers.ts";
export type { BuiltinLoad } from "./controllers/builtin-load.ts";
export { verdictOn } from "./controllers/garbage-collector/verdict.ts";
export type { OwnerState, Verdict } from "./controllers/garbage-collector/verdict.ts";
export { DataFolderError } from "./data-folder.ts";
export { KubeconfigFileError } from "./kubeconfig.ts";
export type { ScriptedUsage } from "./kubelet/consumption.ts";
export type { NodeOptions } from "./kubelet/node-object.ts";
export type {
  ContainerLog,
  ContainerRun,
  ImageState,
  PodNote,
  PodRuntime,
  RunState,
  StartedRun,
  StopOrder,
} from "./kubelet/pod-runtime.ts";
export type {
  CommandAnswer,
  CommandScript,
  PodMatcher,
  PodScript,
  PodScripts,
  ScriptOptions,
  ScriptedCommand,
  UsageScript,
} from "./kubelet/pod-script.ts";
export { imagePrograms } from "./kubelet/processes/image-programs.ts";
export type { CommandLookup, ProgramLookup } from "./kubelet/processes/image-programs.ts";
export { SimulatedRuntime } from "./kubelet/simulated-runtime.ts";
export type { SimulatedDelays } from "./kubelet/simulated-runtime.ts";
export { startKubelet } from "./kubelet/start-kubelet.ts";
export type { KubeletOptions, RunningKubelet } from "./kubelet/start-kubelet.ts";
export { reconcilePolicy } from "./rbac/bootstrap/reconcile-policy.ts";
export { userFacingRoles } from "./rbac/bootstrap/user-facing-roles.ts";
export { createRbac } from "./rbac/rbac.ts";
export type { PermissionLister, Rbac } from "./rbac/rbac.ts";
export type { Permissions } from "./rbac/rbac-authorizer.ts";
export { startScheduler } from "./scheduler/start-scheduler.ts";
export type { RunningScheduler, SchedulerOptions } from "./scheduler/start-scheduler.ts";
export { startApiServer } from "./start-api-server.ts";
export type { ApiServerAlone, ApiServerAloneOptions } from "./start-api-server.ts";
export { startControlPlane } from "./start-control-plane.ts";
export type { ControlPlane, ControlPlaneOptions } from "./start-control-plane.ts";
export { startCluster } from "./start-cluster.ts";
export type { ControlLoopOptions } from "./loops/control-loops.ts";
