import { isIPv6 } from "node:net";
import { CommandError } from "../command.ts";
import { freePort } from "./free-port.ts";

/** Where webhooks are served on this machine, and where an API server calls them. */
export interface WebhookReach {
  /** Where the operator listens. */
  readonly address: string;
  /** Undefined: the API server cannot reach this machine. */
  readonly url: string | undefined;
}

/** For an API server on this machine. */
export async function localReach(): Promise<WebhookReach> {
  const { address } = await noReach();
  return { address, url: `https://${address}` };
}

/** For an API server that cannot call. The operator serves its webhooks all the same. */
export async function noReach(): Promise<WebhookReach> {
  return { address: `127.0.0.1:${await freePort()}`, url: undefined };
}

/** For an API server that finds this machine under a name or an address, such as `host.docker.internal` or `192.168.1.7:9443`. Without a port it is any that is free. */
export async function reachAt(host: string): Promise<WebhookReach> {
  const text = isIPv6(host) ? `[${host}]` : host;
  const url = URL.parse(`https://${text}`);
  // What is more than a host and a port, or is not written as it is meant, comes back as something else.
  if (url === null || text === "" || ![url.host, `${url.hostname}:443`].includes(text.toLowerCase()))
    throw new CommandError(
      `--webhook-host ${JSON.stringify(host)} must be a name or an address of this machine, and maybe a port: host.docker.internal, 192.168.1.7:9443`,
    );
  const port = text.endsWith(":443") ? "443" : url.port || String(await freePort());
  // Which of the machine's addresses the name stands for over there is not known here.
  return { address: `:${port}`, url: `https://${url.hostname}:${port}` };
}
