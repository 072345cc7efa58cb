import { defineResource, k } from "@kaji/core/define";
import { z } from "zod";

/** A database that is to be backed up, as its owner describes it. */
export const Backup = defineResource({
  group: "storage.example.com",
  version: "v1",
  kind: "Backup",
  description: "Backs up one database at regular times.",
  spec: z.object({
    database: k.dnsLabel().describe("Name of the database."),
    every: k.duration().default("24h").describe("Time between two backups."),
    keep: z.int32().min(1).max(365).default(7).describe("How many backups to keep."),
    size: k.quantity().describe("Room that the backups may take."),
  }),
  status: z.object({ lastBackup: k.time().optional() }),
  columns: { Database: "spec.database", Every: "spec.every", "Last Backup": "status.lastBackup" },
});
