import { builtinControllers } from "@kaji/cluster";
import { kindOfId } from "../object-id.ts";
import type { Actor } from "./actor.ts";
import { workloads } from "./workloads.ts";

/** As `workloads`, but with the pods and claims of StatefulSets, which the controller of a cluster makes: for operators that look after each of them, as those of databases do. */
export const statefulPods: Actor = {
  name: "stateful pods",
  controllers: builtinControllers.flatMap(({ name, controller }) =>
    name === "statefulset-controller" && controller !== undefined ? [controller] : [],
  ),
  react(change, stage) {
    if (kindOfId(change.id) !== "StatefulSet.apps") workloads.react(change, stage);
  },
};
