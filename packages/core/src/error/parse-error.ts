/** Text that does not follow its grammar. Whoever wrote the text can fix it; the message says what is wrong with it. */
export class ParseError extends Error {
  override readonly name = "ParseError";
}
