import { builtinControllers } from "@kaji/cluster";
import { kindOfId } from "../object-id.ts";
import type { Actor } from "./actor.ts";
import { workloads } from "./workloads.ts";

const controllers: ReadonlySet<string> = new Set(["deployment-controller", "replicaset-controller"]);
const kinds: ReadonlySet<string> = new Set(["Deployment.apps", "ReplicaSet.apps"]);

/** As `workloads`, but with the pods of Deployments and ReplicaSets, which the controllers of a cluster make: for operators that look at pods, or have a webhook for them. */
export const deploymentPods: Actor = {
  name: "deployment pods",
  controllers: builtinControllers.flatMap(({ name, controller }) =>
    controllers.has(name) && controller !== undefined ? [controller] : [],
  ),
  react(change, stage) {
    if (!kinds.has(kindOfId(change.id))) workloads.react(change, stage);
  },
};
