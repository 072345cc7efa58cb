import { join } from "node:path";
import { providePrograms } from "@kaji-tools/kube";
import { imagePrograms } from "@kaji/cluster";
import type { ControlPlaneOptions, ProgramLookup } from "@kaji/cluster";

const images = "registry.k8s.io/e2e-test-images";

/**
 * What the suite's image for everything is run for: what webhooks answer, what is found in volumes, and whether a process is alive. Whatever only has to be there is simulated, like
 * all other images: of servers that listen on the same port, as replicas do, a machine can run but one.
 */
const roles: ReadonlySet<string> = new Set([
  "webhook",
  "crd-conversion-webhook",
  "mounttest",
  "inclusterclient",
  "liveness",
  "grpc-health-checking",
]);

/** What a container is run for that is looked at. */
const probed = "test-webserver";

/** What the suite's image with a shell is run for: scripts that look at their environment and their volumes, and those that end in a way of their own. */
const scripts =
  /^(?:env$|cat \/|TEST_VAR=|test -d |\/bin\/echo -n |\s+(?:f=\/restart-count|if \[)|while true; do echo polo|echo .* > ?\/|tail -f \/dev\/null)/;

/** What containers with volumes wait with for commands that look into these. */
const waiting = /^(?:sleep 100000|.* -c trap exit TERM; while true; do sleep 1; done)$/;

/** Which containers of the suite's pods run really, and as which programs. Their probes and hooks run what they say. */
export async function podPrograms(): Promise<Required<Pick<ControlPlaneOptions, "programs" | "commands">>> {
  const folder = await providePrograms(["agnhost", "etcd", "sample-apiserver"]);
  const agnhost = imagePrograms({ [`${images}/agnhost`]: [join(folder, "agnhost")] });
  const others = imagePrograms({
    [`${images}/sample-apiserver`]: [join(folder, "sample-apiserver")],
    // In the root of its own file system, where it would be in a container.
    "registry.k8s.io/etcd": [join(folder, "etcd"), "--data-dir=/default.etcd"],
  });
  const programs: ProgramLookup = (container) => {
    const [first = "", ...more] = [...(container.command ?? []), ...(container.args ?? [])];
    const [role = ""] = first === "/agnhost" ? more : [first];
    const isProbed = container.livenessProbe !== undefined || container.readinessProbe !== undefined;
    if (roles.has(role) || (role === probed && isProbed)) return agnhost(container);
    const isShell = container.image?.startsWith(`${images}/busybox:`) === true;
    if (isShell && waiting.test([first, ...more].join(" ")) && (container.volumeMounts ?? []).length > 0) return [first, ...more];
    // A shell that is told nothing ends well.
    return isShell && (first === "" || scripts.test(more[1] ?? "")) ? ["bash", ...more] : others(container);
  };
  return { programs, commands: (_container, words) => words };
}
