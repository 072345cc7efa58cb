import type { ObjectOf } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import type { UserVerbs } from "@kaji/testing";

/** The custom resource of every sample: enough fields for each shape of bug. */
export const App = defineResource({
  group: "catalogue.kaji.dev",
  version: "v1",
  kind: "App",
  spec: z.object({
    size: z.int32().min(0).default(1),
    tls: z.boolean().default(false),
    notes: z.record(z.string(), z.string()).optional(),
    storage: z.string().optional(),
    target: z.string().optional(),
  }),
  status: z.object({
    phase: z.string().optional(),
    size: z.int32().optional(),
    at: z.string().optional(),
    id: z.string().optional(),
    conditions: k.conditions(),
  }),
});

/** An App. */
export type App = ObjectOf<typeof App>;

/** Where all samples live. */
export const address = "default/r";
/** The metadata of something that belongs to the sample. */
export const named = (name: string): { readonly name: string; readonly namespace: string } => ({ name, namespace: "default" });

type AppSpec = { readonly [K in "size" | "tls" | "notes" | "storage" | "target"]?: unknown };

/** Creates the App. */
export const create = (user: UserVerbs, spec: AppSpec = {}) => user.create(App, { metadata: named("r"), spec } as never);
/** Changes its spec. */
export const patch = (user: UserVerbs, spec: AppSpec) => user.mergePatch(App, address, { spec } as never);
/** Deletes it. */
export const remove = (user: UserVerbs) => user.delete(App, address);
