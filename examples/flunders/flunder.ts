import { defineResource, z } from "kaji";

export const Flunder = defineResource({
  group: "wardle.example.com",
  version: "v1alpha1",
  kind: "Flunder",
  description: "A fish that is kept by another server than the one it is asked for.",
  spec: z.object({
    reference: z.string().min(1).describe("What this Flunder refers to."),
    referenceType: z.enum(["Flunder", "Fischer"]).default("Flunder").describe("What kind of thing that is."),
  }),
  columns: { Reference: "spec.reference", Type: "spec.referenceType" },
});
