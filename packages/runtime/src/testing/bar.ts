import type { Condition, Draft, Drafted, KubeObject } from "@kaji/core";
import { defineResource, k, z } from "@kaji/core/define";
import type { ResourceDefinition } from "@kaji/core/define";
import { defineController } from "../declare/define-controller.ts";
import type { Controller } from "../declare/define-controller.ts";
import { TestWorld } from "./test-world.ts";

const group = "samplecontroller.example.com";

/** What the tests look after: a Bar has a Part of the size that it wants. */
export interface Bar extends KubeObject, Drafted<{ readonly spec: { readonly partName: string; readonly size?: number | undefined } }> {
  readonly apiVersion: `${typeof group}/v1alpha1`;
  readonly kind: "Bar";
  readonly spec: { readonly partName: string; readonly size: number };
  readonly status?: {
    readonly observedGeneration?: number | undefined;
    readonly size?: number | undefined;
    readonly note?: string | undefined;
    readonly conditions?: readonly Condition[] | undefined;
  };
}

const bars = defineResource({
  group,
  version: "v1alpha1",
  kind: "Bar",
  spec: z.object({ partName: z.string(), size: z.int32().min(0).default(1) }),
  status: z.object({
    observedGeneration: z.int().optional(),
    size: z.int32().optional(),
    note: z.string().optional(),
    conditions: k.conditions(),
  }),
});

/** The kind of a Bar. */
export const Bar: ResourceDefinition<Bar> = bars;

/** A child. */
export interface Part extends KubeObject, Drafted<{ readonly spec: PartDraft }> {
  readonly apiVersion: `${typeof group}/v1alpha1`;
  readonly kind: "Part";
  readonly spec: {
    readonly size?: number | undefined;
    readonly color: string;
    readonly shape?: string | undefined;
    readonly screws?: readonly { readonly name: string; readonly length: number; readonly head?: string | undefined }[] | undefined;
    readonly holes?: readonly { readonly width: number; readonly depth: number }[] | undefined;
    readonly tags?: readonly string[] | undefined;
  };
}

/** A Part as it is written: without what the server fills in. */
interface PartDraft {
  readonly size?: number | undefined;
  readonly color?: string | undefined;
  readonly shape?: string | undefined;
  readonly screws?:
    | readonly { readonly name: string; readonly length?: number | undefined; readonly head?: string | undefined }[]
    | undefined;
  readonly holes?: readonly { readonly width: number; readonly depth?: number | undefined }[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

const parts = defineResource({
  group,
  version: "v1alpha1",
  kind: "Part",
  spec: z.object({
    size: z.int32().optional(),
    color: z.string().default("red"),
    shape: z.string().optional(),
    screws: k.listMap(z.object({ name: z.string(), length: z.int32().default(10), head: z.string().optional() }), "name").optional(),
    // One value to the server, which has defaults inside all the same.
    holes: z.array(z.object({ width: z.int32(), depth: z.int32().default(1) })).optional(),
    tags: z.array(z.string()).optional(),
  }),
});

/** The kind of a Part, with defaults of the server wherever there can be some. */
export const Part: ResourceDefinition<Part> = parts;

/** A Bar to create. */
export function barDraft(name: string, spec: { readonly partName?: string; readonly size?: number | undefined } = {}): Draft<Bar> {
  return { metadata: { name, namespace: "default" }, spec: { partName: `${name}-part`, ...spec } };
}

/** The controller that most tests run: it keeps one Part for each Bar. */
export const barController: Controller = defineController(Bar, {
  owns: [Part],
  async reconcile(bar, { apply, setStatus }) {
    const part = await apply(Part, { metadata: { name: bar.spec.partName }, spec: { size: bar.spec.size } });
    await setStatus({ size: part.spec.size });
  },
});

/** Keeps one Part that is named after the size of its Bar, so that another size has the one before pruned. */
export const sizedPartController: Controller = defineController(Bar, {
  owns: [Part],
  async reconcile({ spec }, { apply }) {
    await apply(Part, { metadata: { name: `p${spec.size}` }, spec: {} });
  },
});

/** A server that knows both kinds. */
export async function barWorld(): Promise<TestWorld> {
  const world = new TestWorld();
  await world.define(Bar, Part);
  return world;
}
