import { isIPv6 } from "node:net";
import type { Clock, Random } from "@kaji/core";
import type { ServedHandler } from "../../api/served-api.ts";
import type { FrontProxy } from "../../api/front-proxy.ts";
import { createAuthority, issueServing } from "../../certificates/certificate-authority.ts";
import { ReplacedCertificate } from "../../certificates/certificate-source.ts";
import { createWebhookServer } from "../webhook-server.ts";

/** How webhooks of a test are served. */
export interface ServeWebhooksOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The name or address under which the API server reaches this machine. */
  readonly host: string;
  /** By which names it calls. Default: that host. */
  readonly names?: readonly string[] | undefined;
  /** Who says, beside his certificate, who his clients are. Default: nobody. */
  readonly frontProxy?: FrontProxy | undefined;
}

/** Webhooks that an API server can call. */
export interface ServedTestWebhooks extends AsyncDisposable {
  readonly url: string;
  /** What the API server is to trust, in PEM. */
  readonly caBundle: string;
}

/** Longer than any test. */
const lifetimeMs = 24 * 3_600_000;

/** Serves webhooks to an API server in another process for as long as a test runs, with a certificate of their own and on a free port. */
export async function serveWebhooks(
  handler: ServedHandler,
  { clock, random, host, names = [host], frontProxy }: ServeWebhooksOptions,
): Promise<ServedTestWebhooks> {
  const issuing = { clock, random, lifetimeMs };
  const authority = createAuthority("webhooks of a test", issuing);
  const certificates = new ReplacedCertificate();
  certificates.replace(issueServing(authority, names, issuing));
  const server = createWebhookServer({ handler, certificates, frontProxy, clock, port: 0, linger: 0 });
  const end = new AbortController();
  const running = server.run(end.signal);
  const { port } = await Promise.race([server.ready, running.then(() => server.ready)]);
  return {
    url: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    caBundle: authority.cert,
    async [Symbol.asyncDispose]() {
      end.abort();
      await running;
    },
  };
}
