import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock, systemRandom } from "@kaji/core";
import type { Random } from "@kaji/core";
import { callApi } from "./api-access.ts";
import type { ApiAccess } from "./api-access.ts";
import { apiserverFlags, controllerManagerFlags, etcdFlags, schedulerFlags } from "./control-plane-flags.ts";
import { createCredentials, formatKubeconfig } from "./credentials.ts";
import { keepNodeReady, whyNotSchedulable } from "./fake-node.ts";
import { freePorts } from "./free-ports.ts";
import { readVersions } from "./go-module.ts";
import { controlPlane } from "./programs.ts";
import { providePrograms } from "./provide-programs.ts";
import type { ProvideOptions } from "./provide-programs.ts";
import { ServerGroup } from "./server-group.ts";

/** How a control plane is started. */
export interface KubeOptions extends ProvideOptions {
  /** Also runs kube-controller-manager and kube-scheduler, and keeps one Node ready that runs nothing. Default false. */
  readonly controllers?: boolean;
  /** Further flags of kube-apiserver, such as `--feature-gates=WatchList=false`; they win over those it is started with anyway. */
  readonly apiserverFlags?: readonly string[];
  /** Further flags of kube-controller-manager and kube-scheduler; they win likewise. */
  readonly controllerFlags?: readonly string[];
  /** Whether an acknowledged write would survive a power failure, which makes writes slower and only matters to measurements. Default false. */
  readonly durable?: boolean;
  /** How long a server may take to become ready. Default three minutes. */
  readonly timeoutMs?: number;
  /** Where tokens and ports come from. Default the chance of the machine. */
  readonly random?: Random;
}

/** A running control plane. It is gone, with all its data, once it is stopped or our process ends, however that happens. */
export interface Kube extends AsyncDisposable {
  /** For example `https://127.0.0.1:12345`. */
  readonly server: string;
  /** Path of a kubeconfig with the contexts `admin`, which is the current one, and `user`. */
  readonly kubeconfig: string;
  /** The certificate authority of the server, as PEM. */
  readonly ca: string;
  /** Path of a file with the same. */
  readonly caFile: string;
  /** The token of `admin`, member of system:masters. */
  readonly token: string;
  /** The token of `user`, to whom RBAC grants no more than to everybody. */
  readonly userToken: string;
  /** Path of a kubectl of the same version. */
  readonly kubectl: string;
  /** The processes of its servers. */
  readonly pids: readonly number[];
  /** Resolves when one of the servers there are now ends by itself; the message has its last lines. */
  readonly died: Promise<Error>;
  /** Kills kube-apiserver and starts it again at the same address; etcd has all objects meanwhile. Resolves when the API is ready. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts etcd and kube-apiserver on free loopback ports and waits until the API is ready. Builds them first where need be. */
export async function startKube(options: KubeOptions = {}): Promise<Kube> {
  const { controllers = false, durable = false, clock = systemClock, random = systemRandom, timeoutMs = 180_000 } = options;
  const programs = await providePrograms(controllers ? controlPlane : ["etcd", "kube-apiserver", "kubectl"], options);

  await using failed = new AsyncDisposableStack();
  const group = failed.use(await ServerGroup.create({ clock, timeoutMs }));
  const file = (name: string): string => join(group.folder, name);

  const [etcdPort, port = 0] = await freePorts(2, random);
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  group.start(join(programs, "etcd"), etcdFlags(file("etcd"), etcdUrl, durable));
  const credentials = await createCredentials(group.folder, random);
  const { admin, user } = credentials;

  const certificateFolder = file("certificates");
  const flags = apiserverFlags({ etcdUrl, port, certificateFolder, credentials, controllers });
  let apiserver = group.start(join(programs, "kube-apiserver"), overridden(flags, options.apiserverFlags ?? []));
  const access = { server: `https://127.0.0.1:${port}`, token: admin.token };
  await group.untilReady(apiserver, () => whyNotReady(certificateFolder, access));

  const ca = readCertificateAuthority(certificateFolder);
  const [caFile, kubeconfig] = [file("ca.crt"), file("kubeconfig")];
  await writeFile(caFile, ca);
  await writeFile(kubeconfig, formatKubeconfig(access.server, ca, [admin, user]), { mode: 0o600 });
  if (controllers) {
    const { controllerFlags = [] } = options;
    const managerFlags = overridden(controllerManagerFlags(kubeconfig, caFile, credentials), controllerFlags);
    const manager = group.start(join(programs, "kube-controller-manager"), managerFlags);
    group.start(join(programs, "kube-scheduler"), overridden(schedulerFlags(kubeconfig), controllerFlags));
    group.run((signal) => keepNodeReady({ ...access, ca }, readVersions().kubernetes, clock, signal));
    await group.untilReady(manager, () => whyNotSchedulable({ ...access, ca }));
  }

  failed.move();
  const stop = (): Promise<void> => group[Symbol.asyncDispose]();
  const kubectl = join(programs, "kubectl");
  return {
    ...access,
    ca,
    caFile,
    kubeconfig,
    kubectl,
    userToken: user.token,
    get pids() {
      return group.pids;
    },
    get died() {
      return group.died;
    },
    async restart() {
      apiserver = await group.restart(apiserver);
      await group.untilReady(apiserver, () => whyNotReady(certificateFolder, access));
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Flags with others in place of those of the same name: a list that is given twice would be both. */
function overridden(flags: readonly string[], others: readonly string[]): string[] {
  const names = new Set(others.map((flag) => flag.split("=")[0]));
  return [...flags.filter((flag) => !names.has(flag.split("=")[0])), ...others];
}

async function whyNotReady(certificateFolder: string, access: Omit<ApiAccess, "ca">): Promise<string | undefined> {
  // The server writes the key after the certificate: where the key is, the certificate is whole.
  if (!existsSync(join(certificateFolder, "apiserver.key"))) return "it has not made its certificate";
  const ca = readCertificateAuthority(certificateFolder);
  const { status, body } = await callApi({ ...access, ca }, { method: "GET", path: "/readyz" });
  return status === 200 ? undefined : body;
}

/** The server's file has its own certificate first, and after it that of the authority it made up to sign it. */
function readCertificateAuthority(certificateFolder: string): string {
  const chain = readFileSync(join(certificateFolder, "apiserver.crt"), "utf8");
  return chain.slice(chain.lastIndexOf("-----BEGIN CERTIFICATE-----"));
}
