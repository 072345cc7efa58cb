/** So many of the last lines are looked at: a stack trace may follow what matters. */
const lastLines = 50;

/** How Node, and how the system itself and so most others say that a port is taken. */
const taken = /EADDRINUSE|address already in use/i;

/** The port in `0.0.0.0:80`, `:::8080`, `[::]:80`, `tcp :80` and `port 80`, and no time of day. */
const portIn = /(?:(?:^|[\s:\]*(]|\d+\.\d+\.\d+\.\d+):|\bport:? )(\d{1,5})\b/i;

/** A hint for whoever looks at a container that has failed, if the end of its log says that its port is taken elsewhere than at the address of its pod. */
export function takenPortHint(container: string, log: readonly string[], address: string): string | undefined {
  const lines = log.slice(-lastLines).filter((line) => taken.test(line));
  if (lines.length === 0 || lines.some((line) => line.includes(address))) return undefined;
  const [port] = lines.flatMap((line) => portIn.exec(line)?.[1] ?? []);
  return (
    `container ${container} found ${port === undefined ? "its port" : `port ${port}`} taken: programs in pods share the network of this machine, ` +
    `and one that listens on all addresses has the port there for itself. Have it listen on the address in $KAJI_LISTEN_HOST, which is its pod's own (${address})`
  );
}
