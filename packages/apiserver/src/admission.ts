import type { DynamicObject } from "@kaji/core";
import type { RequestContext } from "./request/request-context.ts";
import type { Target } from "./registry/target.ts";

/** A write on its way into storage, as an admission plugin sees it. */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly target: Target;
  /** Absent for deletions. */
  readonly object: DynamicObject | undefined;
  /** Absent for creations. */
  readonly oldObject: DynamicObject | undefined;
  readonly dryRun: boolean;
  readonly context: RequestContext;
}

/** Says whether a write may happen, and may change it first. Refuses by throwing an `ApiError`. */
export interface AdmissionPlugin {
  readonly name: string;
  /** Returns the object as it should be written. */
  readonly mutate?: (request: AdmissionRequest & { readonly object: DynamicObject }) => DynamicObject | Promise<DynamicObject>;
  /** Sees the object as it will be written. */
  readonly validate?: (request: AdmissionRequest) => void | Promise<void>;
}

/** Lets each plugin change the object in turn. */
export async function mutateAll(
  plugins: readonly AdmissionPlugin[],
  request: AdmissionRequest & { readonly object: DynamicObject },
): Promise<DynamicObject> {
  let { object } = request;
  for (const { mutate } of plugins) {
    if (mutate !== undefined) object = await mutate({ ...request, object });
  }
  return object;
}

/** Asks every plugin; the first to refuse decides. */
export async function validateAll(plugins: readonly AdmissionPlugin[], request: AdmissionRequest): Promise<void> {
  for (const { validate } of plugins) await validate?.(request);
}
