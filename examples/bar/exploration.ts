import type { ExploreOptions } from "@kaji/testing";
import { Deployment } from "kaji/apps/v1";
import { barController } from "./bar-controller.ts";
import { barWebhook } from "./bar-webhook.ts";
import { Bar } from "./bar.ts";

const newBar = (deploymentName: string, replicas: number) => ({
  metadata: { name: "example", namespace: "default" },
  spec: { deploymentName, replicas },
});

/** What is explored of the Bar operator. It is a module of its own so that worker threads can import it too. */
export const options: ExploreOptions = {
  controllers: [barController],
  webhooks: [barWebhook],
  ops: (user) => [
    user.create(Bar, newBar("web", 1)),
    user.mergePatch(Bar, "default/example", { spec: { replicas: 3, deploymentName: "other" } }),
    user.mergePatch(Bar, "default/example", { spec: { replicas: 2 } }),
    user.delete(Bar, "default/example"),
    user.create(Bar, newBar("again", 2)),
  ],
  // What Ready promises: that there are as many copies as the Bar wants, by a count that is about what it wants.
  ready: (_bar, world) =>
    world
      .list(Deployment)
      .every(
        ({ metadata, spec, status }) => status?.observedGeneration === metadata.generation && status?.availableReplicas === spec?.replicas,
      ),
};
