import { onAbort } from "@kaji/core";
import type { Container, Pod, Service, ServiceAccountTokenProjection } from "@kaji/types/core/v1";
import type { CommandEnd, ContainerCommand } from "../../kinds/core/container-command.ts";
import type { StartedRun } from "../pod-runtime.ts";
import { checkByCommand } from "./check-by-command.ts";
import { containerEnvironment } from "./container-environment.ts";
import { ContainerProcess } from "./container-process.ts";
import type { ContainerProcessOptions, PreparedProcess } from "./container-process.ts";
import type { CommandLookup } from "./image-programs.ts";
import { MountedPaths } from "./mounted-paths.ts";
import { PodFolder } from "./pod-folder.ts";
import { podKubeconfig } from "./pod-kubeconfig.ts";
import type { PodObjects } from "./pod-objects.ts";
import { inPrivateRoot } from "./private-root.ts";
import type { CheckTarget, Verdict } from "./probe-target.ts";
import { serviceVariables } from "./service-variables.ts";
import type { RunningProcess } from "./spawn-process.ts";
import { expandVariables } from "./variable-expansion.ts";
import { tokenKey } from "./volume-files.ts";

const longestHostname = 63;
/** The exit code of what SIGKILL ended. */
const killed = 137;

/** Issues a token for the service account of a pod. */
export type IssueToken = (pod: Pod, request: ServiceAccountTokenProjection) => Promise<string>;

/** What the processes of a pod are started with. */
export interface PodProcessesOptions extends Pick<
  ContainerProcessOptions,
  "spawn" | "check" | "clock" | "onChange" | "onOutput" | "onNote"
> {
  /** Where the pod's files are kept. */
  readonly path: string;
  readonly objects: PodObjects;
  /** Which commands of probes and hooks are run. */
  readonly commands: CommandLookup;
  /** Does as if a command were run. */
  readonly simulate: (run: StartedRun, command: ContainerCommand) => Promise<CommandEnd>;
  readonly issueToken: IssueToken;
  /** The variables that every process has. */
  readonly variables: ReadonlyMap<string, string>;
  /** The URL of the API server. */
  readonly server: string;
  /** At which address of this machine one of the cluster is reached. */
  readonly reach: (address: string) => string;
  /** Whether processes find their volumes where their container has them. Otherwise paths are replaced in what they are given and what they write. */
  readonly hasPrivateRoots: boolean;
}

/** Where a process of a pod is started. */
interface ProcessPlace {
  readonly folder: PodFolder;
  /** An empty folder, of this process alone. */
  readonly root: string;
  readonly variables: ReadonlyMap<string, string>;
}

/** The processes of one pod, with the files that they share. */
export class PodProcesses implements AsyncDisposable {
  readonly #options: PodProcessesOptions;
  readonly #runs = new Map<string, ContainerProcess>();
  /** What runs beside the containers. */
  readonly #commands = new Set<RunningProcess>();
  readonly #tokens: Promise<ReadonlyMap<string, string>>;
  #folder: PodFolder | undefined;
  #pod: Pod;
  #isStopped = false;

  constructor(pod: Pod, options: PodProcessesOptions) {
    this.#options = options;
    this.#pod = pod;
    this.#tokens = issueTokens(pod, options.issueToken);
    this.#tokens.catch(() => {}); // The process that needs them says why there are none.
  }

  /** One run of a container, which is started if it is not known. */
  start(run: StartedRun, program: readonly string[]): ContainerProcess {
    const known = this.find(run);
    if (known !== undefined) return known;
    const address = this.#options.reach(run.pod.status?.podIP ?? "");
    const check: CheckTarget = (target, signal) =>
      target.type === "Command" ? this.#checkByCommand(run, target.words, signal) : this.#options.check(target, signal);
    const process = new ContainerProcess({ ...this.#options, run, address, check, prepare: () => this.#prepareRun(run, program) });
    this.#runs.set(keyOf(run), process);
    // Of the runs before, only the last one can be asked for.
    this.#runs.delete(keyOf({ ...run, restartCount: run.restartCount - 2 }));
    return process;
  }

  /** Runs a command as a process of a container, with the same files and variables. */
  async run(run: StartedRun, { words, stdin, onStdout, onStderr, terminal, signal }: ContainerCommand): Promise<CommandEnd> {
    const folder = await this.#openFolder();
    // What is run beside a container comes after it.
    await this.find(run)?.begun;
    if (this.#isStopped) return { type: "Exited", exitCode: killed };
    using root = folder.commandRoot();
    const place = { folder, root: root.path, variables: this.#variablesOf(run, folder, terminal !== undefined) };
    const { show: _show, message: _message, ...prepared } = this.#prepare(run, words, place);
    const process = this.#options.spawn({ ...prepared, terminal, input: stdin, onOutput: onStdout, onError: onStderr });
    using _abort = onAbort(signal, () => process.kill("SIGKILL"));
    this.#commands.add(process);
    const { exitCode, failure } = await process.ended;
    this.#commands.delete(process);
    return failure === undefined ? { type: "Exited", exitCode } : { type: "NotRun", why: failure };
  }

  find(run: StartedRun): ContainerProcess | undefined {
    return this.#runs.get(keyOf(run));
  }

  /** Takes note of what has become of the pod, of which volumes may show something. */
  async update(pod: Pod): Promise<void> {
    if (pod.metadata.resourceVersion === this.#pod.metadata.resourceVersion) return;
    this.#pod = pod;
    await this.refresh();
  }

  /** Has the volumes show what there is now. */
  async refresh(): Promise<void> {
    const { objects } = this.#options;
    const tokens = await this.#tokens;
    this.#folder?.show({ pod: this.#told(this.#pod), objects, tokens });
  }

  /** Ends all processes, without hooks. */
  stop(graceMs: number): void {
    this.#isStopped = true;
    for (const command of this.#commands) command.kill("SIGKILL");
    for (const process of this.#runs.values()) process.end(graceMs);
  }

  /** Resolves when all processes are gone, which somebody has stopped, and their files with them. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#runs.values(), ...this.#commands].map(({ ended }) => ended));
    this.#folder?.[Symbol.dispose]();
    this.#folder = undefined;
  }

  async #checkByCommand(run: StartedRun, words: readonly string[], signal: AbortSignal): Promise<Verdict> {
    const { commands, simulate } = this.#options;
    const program = commands(run.container, words);
    if (program !== undefined) return checkByCommand((command) => this.run(run, command), program, signal);
    const verdict = await checkByCommand((command) => simulate(run, command), words, signal);
    // What nobody can foretell goes well.
    return verdict.type === "Unknown" ? { type: "Well" } : verdict;
  }

  async #prepareRun(run: StartedRun, program: readonly string[]): Promise<PreparedProcess> {
    const folder = await this.#openFolder();
    const variables = this.#variablesOf(run, folder, run.container.tty === true);
    const expanded = program.map((word) => expandVariables(word, variables));
    return this.#prepare(run, expanded, { folder, root: folder.beginRun(run.container), variables });
  }

  /** The files of the pod, as they are to be now. */
  async #openFolder(): Promise<PodFolder> {
    await this.#tokens;
    const folder = (this.#folder ??= new PodFolder(this.#options.path));
    await this.refresh();
    return folder;
  }

  #prepare({ pod, container }: StartedRun, program: readonly string[], { folder, root, variables }: ProcessPlace): PreparedProcess {
    const mounts = folder.mounts(container, variables);
    const message = (): string => folder.messageOf(container);
    if (this.#options.hasPrivateRoots) {
      const place = { root, hostname: hostnameOf(pod), folder: container.workingDir ?? process.cwd() };
      return {
        program: inPrivateRoot({ ...place, mounts, program, variables }),
        makesItsPlace: true,
        variables,
        show: (line) => line,
        message,
      };
    }
    const paths = new MountedPaths(mounts);
    const { workingDir = "" } = container;
    return {
      program: program.map((word) => paths.outside(word)),
      variables: new Map([...variables].map(([name, value]) => [name, paths.outside(value)])),
      // What is not in a volume need not be there at all.
      folder: paths.outside(workingDir) === workingDir ? undefined : paths.outside(workingDir),
      show: (line) => paths.inside(line),
      message,
    };
  }

  #variablesOf({ pod, container }: StartedRun, folder: PodFolder, isOnTerminal: boolean): ReadonlyMap<string, string> {
    const told = this.#told(pod);
    const given = this.#givenVariables(told, container, folder);
    return containerEnvironment(told, container, this.#options.objects, isOnTerminal ? given.set("TERM", "xterm") : given);
  }

  /** The pod as its own processes are told of it: with the addresses at which it is reached here. */
  #told(pod: Pod): Pod {
    const { reach } = this.#options;
    const { podIP, hostIP } = pod.status ?? {};
    return {
      ...pod,
      status: {
        ...pod.status,
        ...(podIP === undefined ? {} : { podIP: reach(podIP) }),
        ...(hostIP === undefined ? {} : { hostIP: reach(hostIP) }),
      },
    };
  }

  /** What a process is told by whoever starts it: who it is, and where the API server and the services of its namespace are. */
  #givenVariables(pod: Pod, container: Container, folder: PodFolder): Map<string, string> {
    const { variables, server, hasPrivateRoots, objects } = this.#options;
    const services = pod.spec?.enableServiceLinks === false ? [] : objects.services(pod.metadata.namespace ?? "").filter(isReached);
    const given = new Map([...serviceVariables(services), ...variables, ["HOSTNAME", hostnameOf(pod)]]);
    const { podIP } = pod.status ?? {};
    if (podIP !== undefined) given.set("KAJI_LISTEN_HOST", podIP);
    if (hasPrivateRoots) {
      const { hostname, port } = new URL(server);
      return given.set("KUBERNETES_SERVICE_HOST", hostname).set("KUBERNETES_SERVICE_PORT", port);
    }
    const kubeconfig = podKubeconfig(pod, container, folder, server);
    return kubeconfig === undefined ? given : given.set("KUBECONFIG", kubeconfig);
  }
}

/** Whether a service is where it says: the API server is not behind its own. */
function isReached({ metadata }: Service): boolean {
  return metadata.name !== "kubernetes" || metadata.namespace !== "default";
}

/** The name of the pod, as far as it can be that of a host. */
function hostnameOf({ metadata, spec }: Pod): string {
  return spec?.hostname ?? metadata.name.slice(0, longestHostname).replace(/[-.]+$/, "");
}

function keyOf({ container, restartCount }: StartedRun): string {
  return `${container.name}/${restartCount}`;
}

async function issueTokens(pod: Pod, issueToken: IssueToken): Promise<ReadonlyMap<string, string>> {
  const tokens = new Map<string, string>();
  for (const { name, projected } of pod.spec?.volumes ?? []) {
    for (const { serviceAccountToken } of projected?.sources ?? []) {
      if (serviceAccountToken !== undefined)
        tokens.set(tokenKey(name, serviceAccountToken.path), await issueToken(pod, serviceAccountToken));
    }
  }
  return tokens;
}
