import { runController } from "@kaji/runtime";
import type { Controller, ControllerEnvironment } from "@kaji/runtime";
import { cronJobController } from "./cronjob/cron-job-controller.ts";
import { daemonSetController } from "./daemonset/daemon-set-controller.ts";
import { deploymentController } from "./deployment/deployment-controller.ts";
import { disruptionController } from "./disruption/disruption-controller.ts";
import { staleDisruptionController } from "./disruption/stale-disruption-controller.ts";
import { endpointSliceController } from "./endpoints/endpoint-slice-controller.ts";
import { endpointSliceMirroringController } from "./endpoints/endpoint-slice-mirroring-controller.ts";
import { endpointsController } from "./endpoints/endpoints-controller.ts";
import { leftoverEndpointsController } from "./endpoints/leftover-endpoints-controller.ts";
import { GarbageCollector } from "./garbage-collector/garbage-collector.ts";
import { jobController } from "./job/job-controller.ts";
import { jobPodController } from "./job/job-pod-controller.ts";
import { ttlAfterFinishedController } from "./job/ttl-after-finished-controller.ts";
import { nodeLifecycleController } from "./node/node-lifecycle-controller.ts";
import { taintEvictionController } from "./node/taint-eviction-controller.ts";
import { createPodGarbageCollector } from "./podgc/pod-garbage-collector.ts";
import { resourceQuotaController } from "./quota/resource-quota-controller.ts";
import { replicaSetController } from "./replicaset/replica-set-controller.ts";
import { replicationController } from "./replicaset/replication-controller.ts";
import { statefulSetController } from "./statefulset/stateful-set-controller.ts";
import { claimBinder } from "./volumes/claim-binder.ts";
import { claimProtectionController } from "./volumes/claim-protection-controller.ts";
import { ephemeralVolumeController } from "./volumes/ephemeral-volume-controller.ts";
import { volumeBinder } from "./volumes/volume-binder.ts";
import { volumeProtectionController } from "./volumes/volume-protection-controller.ts";

/** What a controller has left to do. */
export interface Activity {
  /** Objects that wait for a worker. */
  readonly queued: number;
  /** Objects that are being worked on. */
  readonly inFlight: number;
  /** How long until something that waits for its time is due; undefined when nothing is. */
  readonly nextDueInMs: number | undefined;
}

/** A controller at work. */
export interface RunningBuiltin {
  readonly activity: Activity;
  /** Resolves when it has seen all that there is. */
  readonly synced: Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

/** A controller of every cluster, under the name that kube-controller-manager has for it. */
export interface BuiltinController {
  readonly name: string;
  readonly start: (environment: ControllerEnvironment) => RunningBuiltin;
}

/** All controllers, each written as an operator's author would. */
export const builtinControllers: readonly BuiltinController[] = [
  builtin(cronJobController),
  builtin(daemonSetController),
  builtin(deploymentController),
  builtin(disruptionController),
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
  builtin(statefulSetController),
  builtin(resourceQuotaController),
  builtin(claimBinder),
  builtin(volumeBinder),
  builtin(claimProtectionController),
  builtin(volumeProtectionController),
  builtin(ephemeralVolumeController),
  builtin(nodeLifecycleController),
  builtin(taintEvictionController),
  { name: "pod-garbage-collector-controller", start: (environment) => builtin(createPodGarbageCollector()).start(environment) },
  { name: "garbage-collector-controller", start: (environment) => new GarbageCollector(environment) },
];

function builtin(controller: Controller): BuiltinController {
  return {
    name: controller.name,
    start(environment) {
      // Fields belong to the program that runs all of them.
      const running = runController({ ...controller, fieldManager: "kube-controller-manager" }, environment);
      return {
        synced: running.synced,
        get activity() {
          return running.load;
        },
        run: (signal) => running.run(signal),
      };
    },
  };
}
