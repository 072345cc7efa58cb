import { runController } from "@kaji/runtime";
import type { Controller, ControllerEnvironment, RunningController } from "@kaji/runtime";
import { ValidatingAdmissionPolicy } from "@kaji/types/admissionregistration/v1";
import { Node, Pod } from "@kaji/types/core/v1";
import { concernedKinds } from "../loops/concerned-kinds.ts";
import type { ConcernedKinds } from "../loops/concerned-kinds.ts";
import { autoscalerKinds, createAutoscalerController } from "./autoscaling/autoscaler-controller.ts";
import type { BuiltinLoad } from "./builtin-load.ts";
import { cronJobController } from "./cronjob/cron-job-controller.ts";
import { daemonSetController } from "./daemonset/daemon-set-controller.ts";
import { deploymentController } from "./deployment/deployment-controller.ts";
import { createDisruptionController, disruptionKinds } from "./disruption/disruption-controller.ts";
import { staleDisruptionController } from "./disruption/stale-disruption-controller.ts";
import { endpointSliceController } from "./endpoints/endpoint-slice-controller.ts";
import { endpointSliceMirroringController } from "./endpoints/endpoint-slice-mirroring-controller.ts";
import { endpointsController } from "./endpoints/endpoints-controller.ts";
import { leftoverEndpointsController } from "./endpoints/leftover-endpoints-controller.ts";
import { GarbageCollector } from "./garbage-collector/garbage-collector.ts";
import { jobController } from "./job/job-controller.ts";
import { jobPodController } from "./job/job-pod-controller.ts";
import { ttlAfterFinishedController } from "./job/ttl-after-finished-controller.ts";
import { nodeLifecycleController, nodeLifecycleKinds } from "./node/node-lifecycle-controller.ts";
import { createTaintEvictionController, taintEvictionKinds } from "./node/taint-eviction-controller.ts";
import { createPodGarbageCollector } from "./podgc/pod-garbage-collector.ts";
import { createPolicyStatusController } from "./policystatus/policy-status-controller.ts";
import { resourceQuotaKinds, startResourceQuotaController } from "./quota/resource-quota-controller.ts";
import { replicaSetController } from "./replicaset/replica-set-controller.ts";
import { replicationController } from "./replicaset/replication-controller.ts";
import { serviceCidrController, serviceCidrKinds } from "./servicecidr/service-cidr-controller.ts";
import { statefulSetController } from "./statefulset/stateful-set-controller.ts";
import { attributesClassProtectionController } from "./volumes/attributes-class-protection-controller.ts";
import { claimBinder } from "./volumes/claim-binder.ts";
import { claimProtectionController } from "./volumes/claim-protection-controller.ts";
import { ephemeralVolumeController } from "./volumes/ephemeral-volume-controller.ts";
import { volumeBinder } from "./volumes/volume-binder.ts";
import { volumeProtectionController } from "./volumes/volume-protection-controller.ts";

/** A built-in controller at work: what the garbage collector, which serves all kinds at once, has in common with the controllers of the runtime. */
export interface RunningBuiltin extends Pick<RunningController, "synced" | "run"> {
  readonly load: BuiltinLoad;
}

/** A controller of every cluster, under the name that kube-controller-manager has for it. */
export interface BuiltinController {
  readonly name: string;
  /** The kinds whose changes concern it; undefined for one that looks after owners and dependents, whatever their kind. */
  readonly kinds: ConcernedKinds | undefined;
  /** What it is made of, where it is a controller like those of an operator. */
  readonly controller?: Controller;
  readonly start: (environment: ControllerEnvironment) => RunningBuiltin;
}

/** All controllers, each written as an operator's author would. */
export const builtinControllers: readonly BuiltinController[] = [
  builtin(cronJobController),
  builtin(daemonSetController),
  builtin(deploymentController),
  builtin(staleDisruptionController),
  builtin(endpointSliceController),
  builtin(endpointSliceMirroringController),
  builtin(endpointsController),
  builtin(leftoverEndpointsController),
  builtin(jobController),
  builtin(jobPodController),
  builtin(ttlAfterFinishedController),
  builtin(replicaSetController),
  builtin(replicationController),
  { ...builtin(serviceCidrController), kinds: serviceCidrKinds },
  builtin(statefulSetController),
  builtin(claimBinder),
  builtin(volumeBinder),
  builtin(claimProtectionController),
  builtin(volumeProtectionController),
  builtin(attributesClassProtectionController),
  builtin(ephemeralVolumeController),
  { ...builtin(nodeLifecycleController), kinds: nodeLifecycleKinds },
  {
    name: "disruption-controller",
    kinds: disruptionKinds,
    start: (environment) => builtin(createDisruptionController(environment.client)).start(environment),
  },
  {
    name: "horizontal-pod-autoscaler-controller",
    kinds: autoscalerKinds,
    start: (environment) => builtin(createAutoscalerController(environment.client)).start(environment),
  },
  {
    name: "taint-eviction-controller",
    kinds: taintEvictionKinds,
    start: (environment) => builtin(createTaintEvictionController()).start(environment),
  },
  {
    name: "pod-garbage-collector-controller",
    kinds: { own: Pod, others: [Node] },
    start: (environment) => builtin(createPodGarbageCollector()).start(environment),
  },
  {
    name: "validatingadmissionpolicy-status-controller",
    kinds: { own: ValidatingAdmissionPolicy, others: [] },
    start: (environment) => builtin(createPolicyStatusController(environment.client.discovery)).start(environment),
  },
  { name: "resourcequota-controller", kinds: resourceQuotaKinds, start: startResourceQuotaController },
  { name: "garbage-collector-controller", kinds: undefined, start: (environment) => new GarbageCollector(environment) },
];

/** Under which name a controller says what it did: for some not the one that kube-controller-manager has for it. */
export function reporterOf(controller: string): string {
  return reporters.get(controller) ?? controller;
}

const reporters: ReadonlyMap<string, string> = new Map([
  ["disruption-controller", "controllermanager"],
  ["endpoints-controller", "endpoint-controller"],
  ["endpointslice-controller", "endpoint-slice-controller"],
  ["endpointslice-mirroring-controller", "endpoint-slice-mirroring-controller"],
  ["ephemeral-volume-controller", "ephemeral_volume"],
  ["horizontal-pod-autoscaler-controller", "horizontal-pod-autoscaler"],
  ["node-lifecycle-controller", "node-controller"],
  ["persistentvolume-binder-controller", "persistentvolume-controller"],
  ["replicationcontroller-controller", "replication-controller"],
]);

function builtin(controller: Controller): BuiltinController {
  return {
    name: controller.name,
    kinds: concernedKinds(controller),
    controller,
    // The fields that it sets belong to kube-controller-manager, the program that runs all of them.
    start: (environment) => runController({ ...controller, fieldManager: "kube-controller-manager" }, environment),
  };
}
