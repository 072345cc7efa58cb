/** A write was not done, since its kind has come to be served otherwise, or no longer, while it was under way. It is to be done anew. */
export class KindChanged extends Error {
  override readonly name = "KindChanged";
}
