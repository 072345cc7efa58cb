/** Draws, and shows what is new at the end of a log, unless the reader has gone up in it. */
export function followingLog(draw: () => void): void {
  const before = document.querySelector("#log");
  const isAtEnd = before === null || before.scrollHeight - before.scrollTop - before.clientHeight < nearPx;
  draw();
  const log = document.querySelector("#log");
  if (log !== null && (isAtEnd || log !== before)) log.scrollTop = log.scrollHeight;
}

/** So far from the end one still is at the end. */
const nearPx = 8;
