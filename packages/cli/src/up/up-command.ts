import { existsSync } from "node:fs";
import type { Command } from "../command.ts";
import type { runUp } from "./run-up.ts";
import { upOptions } from "./up-options.ts";

/** `kaji up`: a control plane in the foreground, until it is told to stop. */
export const upCommand: Command = {
  help: `Usage: kaji up [options]

Runs a Kubernetes control plane on this machine, for development and tests, until it is stopped with Ctrl+C.

Options:
  --data FOLDER        where keys, certificates and objects are kept (default .kaji)
  --storage KIND       sqlite, which keeps objects in the data folder, memory, which forgets them, or etcd (default sqlite)
  --etcd-servers URLS  the servers of the etcd for --storage etcd, between commas; they are tried in turn
  --etcd-prefix PREFIX what its keys begin with; each control plane needs one of its own (default /kaji)
  --etcd-cafile FILE   the certificate authority of its servers, in PEM (default those the machine trusts)
  --etcd-certfile FILE the certificate to show to them, in PEM
  --etcd-keyfile FILE  its key, in PEM
  --host ADDRESS       the address to listen on (default 127.0.0.1)
  --port PORT          the port to listen on; 0 is any that is free (default 6443)
  --kubeconfig FILE    where to write the kubeconfig of the admin (default kubeconfig in the data folder)
  --nodes NUMBER       how many nodes there are, on each of which 110 pods fit; 0 for none (default 1)
  --image NAME=PROGRAM run a program of this machine for the pods of an image, without its tag; can be given several times.
                       All other pods only seem to run. A shell alone, such as busybox=sh, runs whatever a pod says,
                       for kubectl run -it and kubectl debug -it
  --dashboard          serve a web page on it, at an address that is printed
  --log requests       write a line for every request to stderr
  --audit FILE         append an audit event for every request to a file: who asked for what, and which role allowed it
  --output FORMAT      text or json, of what is said on stdout (default text)
  --verbose            show where an error comes from

Example:
  kaji up --storage memory --port 0
  kaji up --image example.com/web="node web.js"
`,
  options: {
    data: { type: "string" },
    storage: { type: "string" },
    "etcd-servers": { type: "string" },
    "etcd-prefix": { type: "string" },
    "etcd-cafile": { type: "string" },
    "etcd-certfile": { type: "string" },
    "etcd-keyfile": { type: "string" },
    host: { type: "string" },
    port: { type: "string" },
    kubeconfig: { type: "string" },
    nodes: { type: "string" },
    image: { type: "string", multiple: true },
    dashboard: { type: "boolean" },
    log: { type: "string" },
    audit: { type: "string" },
    output: { type: "string" },
  },
  async run(values, terminal) {
    const options = upOptions(values);
    const loaded = await loadUp();
    // Loaded here, since the bundle has classes of its own that the dashboard's client would not know.
    await loaded.runUp(options, terminal, async (kubeconfig) => (await import("../dashboard/open-dashboard.ts")).openDashboard(kubeconfig));
  },
};

/** A published package has it all in a few files: to find and link a thousand modules takes longer than all the rest of the start. */
async function loadUp(): Promise<{ readonly runUp: typeof runUp }> {
  const bundle = new URL("bundle/run-up.js", import.meta.url);
  return existsSync(bundle) ? await import(bundle.href) : await import("./run-up.ts");
}
