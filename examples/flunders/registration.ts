import type { KubeClient } from "@kaji/client";
import { APIService } from "@kaji/types/apiregistration/v1";
import { Namespace, Service } from "@kaji/types/core/v1";
import { EndpointSlice } from "@kaji/types/discovery/v1";

/** Where the main server finds this one. */
export interface Registration {
  /** Of the Service, which is made. */
  readonly namespace: string;
  readonly name: string;
  /** The address and port at which this server listens; loopback is not allowed. */
  readonly address: string;
  readonly port: number;
  /** Signs the certificate that this server shows (PEM). */
  readonly authority: string;
}

/** Tells the main server who serves `wardle.example.com/v1alpha1`, and where. Whatever it was told before is replaced. */
export async function register(client: KubeClient, { namespace, name, address, port, authority }: Registration): Promise<void> {
  const how = { fieldManager: "flunders", force: true };
  await client.apply(Namespace, { metadata: { name: namespace } }, how);
  const metadata = { name, namespace };
  await client.apply(Service, { metadata, spec: { ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }] } }, how);
  await client.apply(
    EndpointSlice,
    {
      metadata: { ...metadata, labels: { "kubernetes.io/service-name": name, "endpointslice.kubernetes.io/managed-by": "flunders" } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: "https", port, protocol: "TCP" }],
    },
    how,
  );
  await client.apply(
    APIService,
    {
      metadata: { name: "v1alpha1.wardle.example.com" },
      spec: {
        group: "wardle.example.com",
        version: "v1alpha1",
        service: { ...metadata, port: 443 },
        caBundle: Buffer.from(authority).toString("base64"),
        groupPriorityMinimum: 2000,
        versionPriority: 200,
      },
    },
    how,
  );
}
