import { defineResource, k, z } from "kaji";

/** A bucket in an object store outside the cluster. */
export const Bucket = defineResource({
  group: "storage.example.com",
  version: "v1alpha1",
  kind: "Bucket",
  spec: z.object({
    endpoint: z
      .string()
      .regex(/^https?:\/\//)
      .check(k.immutable())
      .describe("Where the object store is, such as http://store.example.com."),
    quotaObjects: z.int32().min(0).default(1000).describe("How many objects the bucket may hold."),
  }),
  status: z.object({ bucketName: z.string().optional(), objects: z.int32().optional(), conditions: k.conditions() }),
  columns: { Bucket: "status.bucketName", Objects: "status.objects" },
});
