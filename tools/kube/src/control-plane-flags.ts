import type { Credentials } from "./credentials.ts";

/** etcd on these loopback ports. Nothing is to survive a crash, so it need not wait for the disk. */
export function etcdFlags(dataFolder: string, url: string, durable: boolean): string[] {
  return [
    `--data-dir=${dataFolder}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    "--listen-peer-urls=http://127.0.0.1:0",
    ...(durable ? [] : ["--unsafe-no-fsync"]),
    "--log-level=warn",
  ];
}

/** What kube-apiserver is told. */
export interface ApiserverSettings {
  readonly etcdUrl: string;
  readonly port: number;
  /** Where the server puts the certificate it makes for itself. */
  readonly certificateFolder: string;
  readonly credentials: Credentials;
  /** Whether kube-controller-manager runs beside it. */
  readonly controllers: boolean;
}

/** kube-apiserver with RBAC, on a loopback port. */
export function apiserverFlags({ etcdUrl, port, certificateFolder, credentials, controllers }: ApiserverSettings): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    // The endpoints of the Service `kubernetes` may not be loopback addresses; this one is reserved for examples (RFC 5737).
    "--advertise-address=192.0.2.1",
    `--cert-dir=${certificateFolder}`,
    "--service-cluster-ip-range=10.0.0.0/24",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${credentials.serviceAccountPublicKeyFile}`,
    `--service-account-signing-key-file=${credentials.serviceAccountKeyFile}`,
    `--token-auth-file=${credentials.tokenFile}`,
    "--authorization-mode=RBAC",
    // Without the controller that makes the service account `default`, this plugin would refuse every Pod.
    ...(controllers ? [] : ["--disable-admission-plugins=ServiceAccount"]),
  ];
}

/** kube-controller-manager with all controllers, alone and without a port. */
export function controllerManagerFlags(kubeconfig: string, caFile: string, { serviceAccountKeyFile }: Credentials): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--root-ca-file=${caFile}`,
    `--service-account-private-key-file=${serviceAccountKeyFile}`,
    "--leader-elect=false",
    "--secure-port=0",
  ];
}

/** kube-scheduler, alone and without a port. */
export function schedulerFlags(kubeconfig: string): string[] {
  return [`--kubeconfig=${kubeconfig}`, "--leader-elect=false", "--secure-port=0"];
}
