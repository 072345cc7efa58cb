/** What is used of an etcd. The tool that starts it is no package of the house, so its types are not referred to. */
export interface RealEtcd extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  restart(meanwhile?: () => Promise<void>): Promise<void>;
}

/** The certificates of an etcd, as files. */
export interface RealEtcdOptions {
  readonly tls?: Readonly<Record<"cert" | "key" | "clientCa" | "clientCert" | "clientKey", string>>;
}

const kubeTool: string = "@kaji-tools/kube";

/** Starts an etcd for a test. */
export async function startRealEtcd(options: RealEtcdOptions = {}): Promise<RealEtcd> {
  const tool = (await import(kubeTool)) as { readonly startEtcd: (options: RealEtcdOptions) => Promise<RealEtcd> };
  return tool.startEtcd(options);
}
