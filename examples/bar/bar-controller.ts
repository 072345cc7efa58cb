import { ChildConflictError, defineController, terminal } from "kaji";
import { Deployment } from "kaji/apps/v1";
import { Bar } from "./bar.ts";

export const barController = defineController(Bar, {
  owns: [Deployment],
  async reconcile(bar, { apply, setStatus, event }) {
    const labels = { bar: bar.metadata.name };
    try {
      const deployment = await apply(Deployment, {
        metadata: { name: bar.spec.deploymentName },
        spec: {
          replicas: bar.spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx:1.29" }] } },
        },
      });
      const availableReplicas = deployment.status?.availableReplicas ?? 0;
      // Until the new size has been observed, the counts are those of the former one.
      const isSeen = deployment.status?.observedGeneration === deployment.metadata.generation;
      const isAvailable = isSeen && availableReplicas >= bar.spec.replicas;
      await setStatus({
        availableReplicas,
        conditions: [
          { type: "Ready", status: isAvailable ? "True" : "False", reason: isAvailable ? "Available" : "Progressing", message: "" },
        ],
      });
      if (isAvailable) event("Normal", "Synced", `Deployment ${bar.spec.deploymentName} is in sync`);
    } catch (error) {
      if (!(error instanceof ChildConflictError)) throw error;
      await setStatus({ conditions: [{ type: "Ready", status: "False", reason: "NameTaken", message: error.message }] });
      event("Warning", "NameTaken", error.message);
      throw terminal(error);
    }
  },
});
