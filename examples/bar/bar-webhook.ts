import { FieldPath, invalidValue, webhook } from "kaji";
import { Bar } from "./bar.ts";

const deploymentName = FieldPath.of("spec", "deploymentName");

export const barWebhook = webhook(Bar, {
  default(bar) {
    bar.metadata.labels = { "app.kubernetes.io/managed-by": "bar-controller", ...bar.metadata.labels };
  },
  validate(bar) {
    if (bar.spec.deploymentName.startsWith("kube-"))
      return invalidValue(deploymentName, bar.spec.deploymentName, "names that begin with kube- are the cluster's own");
  },
});
