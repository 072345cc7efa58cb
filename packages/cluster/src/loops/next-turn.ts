/** Lets others have their turn: sockets, timers, whoever waits for either. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
