import type { ExploreOptions } from "@kaji/testing";
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
    user.patch(Bar, "default/example", { spec: { replicas: 3, deploymentName: "other" } }),
    user.patch(Bar, "default/example", { spec: { replicas: 2 } }),
    user.delete(Bar, "default/example"),
    user.create(Bar, newBar("again", 2)),
  ],
};
