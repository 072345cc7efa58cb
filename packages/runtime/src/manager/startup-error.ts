/** The program cannot begin its work. The message is one line that names the cause and what to do about it. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}
