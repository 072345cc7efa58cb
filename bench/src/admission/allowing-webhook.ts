import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { json } from "node:stream/consumers";
import { createAuthority, issueServing } from "@kaji/apiserver";
import { systemClock, systemRandom } from "@kaji/core";

/** A webhook that allows everything. */
export interface AllowingWebhook extends AsyncDisposable {
  /** The configuration that has a server ask it before each object of a resource is created. */
  configuration(group: string, resource: string): string;
  /** How often it was asked. */
  readonly calls: number;
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string };
}

/** Starts one on loopback, with TLS. */
export async function startWebhook(): Promise<AllowingWebhook> {
  const tools = { clock: systemClock, random: systemRandom };
  const authority = createAuthority("bench", tools);
  let calls = 0;
  const server = createServer(issueServing(authority, ["127.0.0.1"], tools), (request, response) => {
    calls++;
    void answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("a server on loopback has a port");
  const clientConfig = { url: `https://127.0.0.1:${address.port}/`, caBundle: Buffer.from(authority.cert).toString("base64") };
  return {
    get calls() {
      return calls;
    },
    configuration: (group, resource) =>
      JSON.stringify({
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "bench.kaji.dev" },
        webhooks: [
          {
            name: "bench.kaji.dev",
            clientConfig,
            rules: [{ operations: ["CREATE"], apiGroups: [group], apiVersions: ["v1"], resources: [resource] }],
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
          },
        ],
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { apiVersion, kind, request: asked } = (await json(request)) as Review;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } }));
}
