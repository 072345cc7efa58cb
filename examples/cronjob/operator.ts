import { defineOperator } from "kaji";
import { cronJobController } from "./cron-job-controller.ts";
import { cronJobConversion } from "./cron-job-conversion.ts";
import { cronJobWebhook } from "./cron-job-webhook.ts";

export const operator = defineOperator({
  name: "cronjob",
  controllers: [cronJobController],
  webhooks: [cronJobWebhook],
  conversions: [cronJobConversion],
});
