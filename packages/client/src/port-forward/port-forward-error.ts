/** The port of a Pod that connections are to. */
export interface PodPort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** A connection to a port of a Pod has failed, as when nobody listens there. Others to the same port go on. */
export class PortForwardError extends Error {
  override readonly name = "PortForwardError";
  readonly target: PodPort;

  constructor(target: PodPort, why: string) {
    super(`${formatPort(target)}: ${why}`);
    this.target = target;
  }
}

/** A port as it is told to people. */
export function formatPort({ namespace, name, port }: PodPort): string {
  return `port ${port} of pod ${namespace}/${name}`;
}
