import { defineResource, k, z } from "kaji";

export const Bar = defineResource({
  group: "samplecontroller.example.com",
  version: "v1alpha1",
  kind: "Bar",
  description: "Keeps a Deployment of nginx running under a name of your choice.",
  spec: z.object({
    deploymentName: k.dnsLabel().describe("Name of the Deployment that this Bar manages."),
    replicas: z.int32().min(0).default(1).describe("How many copies to run."),
  }),
  status: z.object({ availableReplicas: z.int32().default(0), conditions: k.conditions() }),
  columns: { Deployment: "spec.deploymentName", Replicas: "spec.replicas", Available: "status.availableReplicas" },
});
