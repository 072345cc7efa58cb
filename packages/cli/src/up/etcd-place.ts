import { UsageError } from "../command.ts";
import type { OptionValues } from "../command.ts";
import { listOf, optionalText } from "../option-values.ts";

/** Where in which etcd objects are kept, as the options of kube-apiserver say it. */
export interface EtcdPlace {
  readonly servers: readonly string[];
  readonly prefix: string;
  readonly cafile: string | undefined;
  readonly certfile: string | undefined;
  readonly keyfile: string | undefined;
}

const names = ["etcd-servers", "etcd-prefix", "etcd-cafile", "etcd-certfile", "etcd-keyfile"] as const;

/** Reads the options for an etcd. */
export function etcdPlace(values: OptionValues): EtcdPlace {
  const servers = listOf(values, "etcd-servers") ?? [];
  if (servers.length === 0) throw new UsageError("--storage etcd needs --etcd-servers, such as http://127.0.0.1:2379");
  const odd = servers.find((server) => !isOrigin(server));
  if (odd !== undefined) throw new UsageError(`--etcd-servers must be URLs such as http://127.0.0.1:2379, not '${odd}'`);
  const prefix = optionalText(values, "etcd-prefix") ?? "/kaji";
  if (!/^(\/[^/\0]+)+$/.test(prefix)) throw new UsageError(`--etcd-prefix must begin with a slash and not end in one, not '${prefix}'`);
  const [cafile, certfile, keyfile] = ["etcd-cafile", "etcd-certfile", "etcd-keyfile"].map((name) => optionalText(values, name));
  if (certfile !== undefined && keyfile === undefined) throw new UsageError(`--etcd-certfile '${certfile}' needs --etcd-keyfile`);
  if (keyfile !== undefined && certfile === undefined) throw new UsageError(`--etcd-keyfile '${keyfile}' needs --etcd-certfile`);
  return { servers, prefix, cafile, certfile, keyfile };
}

/** Refuses options that would be ignored. */
export function requireNoEtcd(values: OptionValues): void {
  const given = names.find((name) => values[name] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given} is for --storage etcd only`);
}

/** Whether a text is a URL of a server, and of nothing on it. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
}
