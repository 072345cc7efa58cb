import { defineOperator } from "kaji";
import { barController } from "./bar-controller.ts";
import { barWebhook } from "./bar-webhook.ts";

export const operator = defineOperator({ name: "bar-controller", controllers: [barController], webhooks: [barWebhook] });
