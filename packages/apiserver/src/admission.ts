import type { DynamicObject, JsonObject } from "@kaji/core";
import type { RequestContext } from "./request/request-context.ts";
import type { WriteGuard } from "./registry/write-guard.ts";
import type { Target } from "./registry/target.ts";

/** A write on its way into storage, or the wish to be joined to something, as an admission plugin sees it. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly target: Target;
  /** Absent for deletions. For a subresource of a type of its own, such as `scale` or `exec`, an object of that type. */
  readonly object: DynamicObject | undefined;
  /** Absent for creations. */
  readonly oldObject: DynamicObject | undefined;
  /** What the client asked for besides: a `CreateOptions`, `UpdateOptions` or `DeleteOptions`. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
  readonly context: RequestContext;
}

/** A write that plugins may still change. */
export interface MutationRequest extends AdmissionRequest {
  readonly object: DynamicObject;
  readonly rounds: MutationRounds;
}

/**
 * The rounds in which plugins change one object: a second and last one follows if a plugin wants it, because it changed what others had already
 * seen. It also tells writes apart for plugins that remember something of the first round.
 */
export class MutationRounds {
  round: 0 | 1 = 0;
  isAnotherWanted = false;
}

/** Says whether a write may happen, and may change it first. Refuses by throwing an `ApiError`. */
export interface AdmissionPlugin {
  readonly name: string;
  /** The only resources it is asked about, as `group/plural`. Default all. */
  readonly resources?: readonly string[];
  /** Whether it is also asked about clients that want to be joined to something, by its `validate`. Default false. */
  readonly judgesConnections?: boolean;
  /** Whether its `mutate` may also change the options by which clients want to be joined to something. Default false. */
  readonly changesConnections?: boolean;
  /** Returns the object as it should be written. Is called again, in a second round, if a later plugin wants one. */
  readonly mutate?: (request: MutationRequest) => DynamicObject | Promise<DynamicObject>;
  /** Sees the object as it will be written. */
  readonly validate?: (request: AdmissionRequest) => void | Promise<void>;
  /** What a new object depends on until it is stored: others may take their time over it. */
  readonly guard?: (request: AdmissionRequest) => WriteGuard | undefined;
}

/** Lets each plugin change the object in turn. */
export async function mutateAll(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest & { readonly object: DynamicObject },
): Promise<DynamicObject> {
  const rounds = new MutationRounds();
  const first = await mutateOnce(plugins, { ...request, rounds });
  if (!rounds.isAnotherWanted) return first;
  rounds.round = 1;
  return mutateOnce(plugins, { ...request, object: first, rounds });
}

async function mutateOnce(plugins: readonly AdmissionPlugin[], request: MutationRequest): Promise<DynamicObject> {
  const resource = resourceOf(request);
  let present = request;
  for (const { mutate, resources, changesConnections = false } of plugins) {
    if (mutate === undefined || resources?.includes(resource) === false) continue;
    if (request.operation === "CONNECT" && !changesConnections) continue;
    const mutated = mutate(present);
    // Most plugins know at once, and a turn of the event loop for each would add up.
    const object = mutated instanceof Promise ? await mutated : mutated;
    if (object !== present.object) present = { ...request, object };
  }
  return present.object;
}

/** Asks every plugin; the first to refuse decides. */
export async function validateAll(plugins: readonly AdmissionPlugin[], request: AdmissionRequest): Promise<void> {
  const resource = resourceOf(request);
  for (const { validate, resources, judgesConnections = false } of plugins) {
    if (validate === undefined || resources?.includes(resource) === false) continue;
    if (request.operation === "CONNECT" && !judgesConnections) continue;
    const checked = validate(request);
    if (checked instanceof Promise) await checked;
  }
}

/** What all plugins say that a new object depends on. */
export function guardsOf(plugins: readonly AdmissionPlugin[], request: AdmissionRequest): readonly WriteGuard[] {
  const resource = resourceOf(request);
  return plugins.flatMap(({ guard, resources }) => (resources?.includes(resource) === false ? [] : (guard?.(request) ?? [])));
}

function resourceOf({ target: { kind } }: AdmissionRequest): string {
  return `${kind.group}/${kind.plural}`;
}
