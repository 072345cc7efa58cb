import { join } from "node:path";
import { providePrograms } from "@kaji-tools/kube";
import { imagePrograms } from "@kaji/cluster";
import type { ControlPlaneOptions, ProgramLookup } from "@kaji/cluster";
import type { Container } from "@kaji/types/core/v1";

const images = "registry.k8s.io/e2e-test-images";

/**
 * What the suite's image for everything is run for: what webhooks answer, what is found in volumes, what is written, and whether a process is alive. Whatever only has to be there is
 * simulated, like all other images: of servers that listen on the same port, as replicas do, a machine can run but one.
 */
const roles: ReadonlySet<string> = new Set([
  "webhook",
  "crd-conversion-webhook",
  "mounttest",
  "inclusterclient",
  "liveness",
  "grpc-health-checking",
  "entrypoint-tester",
  "logs-generator",
  "porter",
]);

/** Roles that are run where somebody looks at what they write, or calls them, by what tells such a container. */
const lookedAt: Readonly<Record<string, (container: Container) => boolean>> = {
  // Told nothing, it is what the image does by itself.
  pause: ({ name, args }) => args === undefined || name === "agnhost-primary",
  "test-webserver": ({ name }) => name === "test-webserver",
  "serve-hostname": ({ ports = [] }) => ports.some(({ containerPort }) => containerPort === 9376),
};

/** What the suite's image with a shell is run for: scripts that look at their environment and their volumes, and those that end in a way of their own. */
const scripts =
  /^(?:env$|cat \/|TEST_VAR=|test -d |\/bin\/echo -n |\s+(?:f=\/restart-count|if \[)|while true; do echo polo|echo .* > ?\/|tail -f \/dev\/null)/;

/** What containers with volumes wait with for commands that look into these. */
const waiting = /^(?:sleep 100000|.* -c trap exit TERM; while true; do sleep 1; done)$/;

/** Which containers of the suite's pods run really, and as which programs. Their probes and hooks run what they say. */
export async function podPrograms(): Promise<Required<Pick<ControlPlaneOptions, "programs" | "commands">>> {
  const folder = await providePrograms(["agnhost", "etcd", "sample-apiserver"]);
  const agnhost = join(folder, "agnhost");
  const others = imagePrograms({
    [`${images}/sample-apiserver`]: [join(folder, "sample-apiserver")],
    // In the root of its own file system, where it would be in a container.
    "registry.k8s.io/etcd": [join(folder, "etcd"), "--data-dir=/default.etcd"],
  });
  const programs: ProgramLookup = (container) => {
    const { image = "" } = container;
    if (image.startsWith(`${images}/agnhost:`)) return agnhostProgram(container, agnhost);
    return (image.startsWith(`${images}/busybox:`) ? shellProgram(container) : undefined) ?? others(container);
  };
  return { programs, commands: (_container, words) => words };
}

function agnhostProgram(container: Container, agnhost: string): readonly string[] | undefined {
  const { command = [], args = [] } = container;
  const isDefault = command.length === 0 && args.length === 0;
  const [file = "", ...words] = [...(command.length === 0 ? ["/agnhost"] : command), ...(isDefault ? ["pause"] : args)];
  const [role = ""] = words;
  return roles.has(role) || lookedAt[role]?.(container) === true ? named(file, agnhost, words) : undefined;
}

function shellProgram({ command = [], args = [], volumeMounts = [] }: Container): readonly string[] | undefined {
  const words = [...command, ...args];
  const [first = "", ...more] = words;
  if (first === "hexdump" || (waiting.test(words.join(" ")) && volumeMounts.length > 0)) return words;
  // A shell that is told nothing ends well.
  return first === "" || scripts.test(more[1] ?? "") ? ["bash", ...more] : undefined;
}

/** A program that believes to be where its image has it. */
function named(name: string, program: string, words: readonly string[]): readonly string[] {
  return ["bash", "-c", 'exec -a "$1" "$0" "${@:2}"', program, name, ...words];
}
