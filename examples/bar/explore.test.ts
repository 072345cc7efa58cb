import { test } from "node:test";
import { explore } from "@kaji/testing";
import { barController } from "./bar-controller.ts";
import { barWebhook } from "./bar-webhook.ts";
import { Bar } from "./bar.ts";

const newBar = (deploymentName: string, replicas: number) => ({
  metadata: { name: "example", namespace: "default" },
  spec: { deploymentName, replicas },
});

test("a Bar comes out right whatever single thing goes wrong", async () => {
  await explore({
    controllers: [barController],
    webhooks: [barWebhook],
    ops: (user) => [
      user.create(Bar, newBar("web", 1)),
      user.patch(Bar, "default/example", { spec: { replicas: 3, deploymentName: "other" } }),
      user.delete(Bar, "default/example"),
    ],
    runs: 90,
  }).expectNoViolations();
});
