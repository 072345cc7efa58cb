/** What a reconcile asks for ends with it, whatever else may end it. */
export function whileBoth(reconcile: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? reconcile : AbortSignal.any([reconcile, given]);
}
