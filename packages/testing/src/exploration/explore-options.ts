import type { DurationLike, DynamicObject } from "@kaji/core";
import type { ResourceDefinition } from "@kaji/core/define";
import type { Api, Controller, Conversion, Webhook } from "@kaji/runtime";
import type { Actor } from "../simulation/actors/actor.ts";
import type { OutsideStage } from "../simulation/outside.ts";
import type { Loop } from "../simulation/operator-process.ts";
import type { Operation, UserVerbs } from "../simulation/operation.ts";
import type { Fault } from "../simulation/plan.ts";
import type { World } from "../simulation/world-state.ts";
import type { StartTime } from "../start-time.ts";
import type { Workers } from "./explore-workers.ts";
import type { Invariant } from "./invariant.ts";
import type { Mask } from "./masked-fields.ts";
import type { Retained } from "./retained.ts";

/** What is explored, and how thoroughly. */
export interface ExploreOptions<External extends object = object> extends StartTime {
  /** The operator. A function makes its controllers anew for each life of the process, so that nothing survives a crash in a closure. */
  readonly controllers: readonly Controller[] | ((external: External) => readonly Controller[]);
  /** What runs in the operator's process beside its controllers, such as the garbage collector of a cluster. With any, the operator may do everything. */
  readonly loops?: readonly Loop[] | undefined;
  /**
   * Makes what there is outside the cluster, such as a cloud, for each run. Its methods, and those of the services in it, are called by the controllers; each call can fail. What it shows of itself as JSON, Maps
   * and Sets included, is part of what is compared; what is in # fields is not.
   */
  readonly external?: ((stage: OutsideStage) => External) | undefined;
  /** What others do outside, in words, such as `"the bucket is removed"`: each is done at rest after every operation that left something there, and nobody is told. Within an hour all must be as if it had not been. */
  readonly drift?: Readonly<Record<string, (external: External) => void>> | undefined;
  /**
   * How what is outside refuses a call in its own words, by name, such as `"it asks to wait"` for a 429: what it answers, or throws, and nothing is done. Each call is refused in each of these ways, and by an error as if it could
   * not be reached. `method` is what was called, such as `fetch`.
   */
  readonly refusals?: Readonly<Record<string, (method: string) => unknown>> | undefined;
  readonly webhooks?: readonly Webhook[] | undefined;
  /** Between the versions of resources, so that operations may speak any of them. */
  readonly conversions?: readonly Conversion[] | undefined;
  /** Kinds that the operator serves by itself, for controllers that read them. */
  readonly apis?: readonly Api[] | undefined;
  /** Resources to install beyond those that the controllers, webhooks and conversions are about. */
  readonly resources?: readonly ResourceDefinition[] | undefined;
  /** What users do, and what happens outside, each when the one before has come to rest. Default `from-schema`, which derives it from the definition of the first controller's kind, and names what it leaves out. */
  readonly ops?: readonly Operation[] | ((user: UserVerbs<External>) => readonly Operation[]) | "from-schema" | undefined;
  /** What the world does beside collecting garbage and emptying namespaces. Default: workloads, pods and claims become ready. */
  readonly world?: readonly Actor[] | undefined;
  /** Whether what has lost its owners is deleted, and what is in a namespace that goes, as in any cluster. Default true. */
  readonly collectGarbage?: boolean | undefined;
  /** Whether reads of the cache show own writes at once, as they do in kaji. Default true; without it, a controller is on its own against stale reads. */
  readonly readYourWrites?: boolean | undefined;
  /** What must hold after every change, in the cluster or outside. */
  readonly always?: Readonly<Record<string, Invariant<External>>> | undefined;
  /** What must hold whenever a run has ended. */
  readonly eventually?: Readonly<Record<string, Invariant<External>>> | undefined;
  /** Whether what a `Ready` condition promises is true; asked when an object begins to say it. */
  readonly ready?: ((object: DynamicObject, world: World, external: External) => boolean) | undefined;
  /** Whether every field of the spec that users change must make a difference to something else. Default false: some fields are about later, or about others. */
  readonly everyFieldMatters?: boolean | undefined;
  /**
   * Kinds that may outlive what they were made for, such as a history, or those of their objects that some labels select: `{ resource: Secret, labelSelector: "role=archive" }`. What is deleted of them is not
   * made anew.
   */
  readonly retained?: readonly Retained[] | undefined;
  /**
   * Fields that may differ whenever the world is compared, such as a count of what there was before, named as reports name them: an annotation is `metadata.annotations.example.com/revision`, an item of a list
   * `status.conditions[Ready].message`. One that names nothing in any run is told.
   */
  readonly mask?: readonly Mask[] | undefined;
  readonly faults?: { readonly only?: readonly Fault["type"][]; readonly exclude?: readonly Fault["type"][] } | undefined;
  /**
   * How long it may take. Default 20 s, and without end where `runs` says how much is explored, so that a slow machine explores as much. To make smaller what was found last it takes up to a quarter more. What
   * was not explored in that time is said.
   */
  readonly budget?: DurationLike | undefined;
  /** How many runs there may be. Default: as many as there are plans. */
  readonly runs?: number | undefined;
  /** After how many different findings it ends. Default 3. */
  readonly findings?: number | undefined;
  /** Plans to try before all others, as reports have them: those that once failed. */
  readonly plans?: readonly string[] | undefined;
  /** How many plans of two to four faults at once are tried after those of one, chosen by chance. Default 0. */
  readonly combinations?: number | undefined;
  /** Threads that share the runs. Default: all runs are done here, one after the other. */
  readonly workers?: Workers | undefined;
  /** Default 1. */
  readonly seed?: number | undefined;
}

/** Whatever is given what `external` makes is of the same options, and so knows what that is. */
export function anyOutside<External extends object>(options: ExploreOptions<External>): ExploreOptions {
  const { controllers, drift, ops, always, eventually, ready } = options as Pick<
    ExploreOptions,
    "controllers" | "drift" | "ops" | "always" | "eventually" | "ready"
  >;
  if (drift !== undefined && options.external === undefined)
    throw new TypeError("explore: drift is about what is outside, so give external as well");
  if (options.refusals !== undefined && options.external === undefined)
    throw new TypeError("explore: refusals are those of what is outside, so give external as well");
  return { ...options, controllers, drift, ops, always, eventually, ready };
}
