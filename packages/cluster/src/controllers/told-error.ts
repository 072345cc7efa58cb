/** A failure of a controller that an event has told its users of, and that passes when they, or others, have done something: nothing is wrong with the controller. */
export class ToldError extends Error {
  override readonly name = "ToldError";
}
