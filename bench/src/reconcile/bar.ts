import { defineResource, k, z } from "kaji";

/** The custom kind that is reconciled; peers/ has the same in other languages. */
export const Bar = defineResource({
  group: "samplecontroller.example.com",
  version: "v1alpha1",
  kind: "Bar",
  description: "Keeps a Deployment of nginx running under a name of your choice.",
  spec: z.object({ deploymentName: k.dnsLabel(), replicas: z.int32().min(0).default(1) }),
  status: z.object({ availableReplicas: z.int32().default(0), conditions: k.conditions() }),
});
