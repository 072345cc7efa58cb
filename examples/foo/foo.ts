import { defineResource, k, z } from "kaji";
import type { ObjectOf } from "kaji";

/** What a user asks for: a Deployment under a name, with so many copies. */
export const Foo = defineResource({
  group: "samplecontroller.example.com",
  version: "v1alpha1",
  kind: "Foo",
  spec: z.object({
    deploymentName: k.dnsLabel().describe("Name of the Deployment that this Foo manages."),
    replicas: z.int32().min(0).default(1).describe("How many copies to run."),
  }),
  status: z.object({ availableReplicas: z.int32().default(0) }),
  columns: { Deployment: "spec.deploymentName", Replicas: "spec.replicas", Available: "status.availableReplicas" },
});
export type Foo = ObjectOf<typeof Foo>;
