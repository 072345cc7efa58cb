import { isatty } from "node:tty";
import { isRecord, parseJson, parseTime, stringifyJson } from "@kaji/core";
import { TransportError } from "../transport-error.ts";
import type { ExecPlugin } from "./connection.ts";
import type { KeyPair } from "./credential-source.ts";
import { reveal } from "./secret.ts";

/** What a plugin has printed: a token, a certificate or both. */
export interface PluginOutput {
  readonly token?: string | undefined;
  readonly certificate?: KeyPair | undefined;
  /** Absent: good for as long as the server accepts it. */
  readonly expiresAtMs?: number | undefined;
}

/** Runs a plugin. What goes wrong is told without what it has printed. */
export async function runExecPlugin(plugin: ExecPlugin): Promise<PluginOutput> {
  const { command, args = [], env = {} } = plugin;
  const interactive = isInteractive(plugin);
  const [{ spawn }, { text }] = await Promise.all([import("node:child_process"), import("node:stream/consumers")]);
  let printed: string;
  try {
    const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, reveal(value)]));
    const child = spawn(command, args.map(reveal), {
      env: { ...process.env, ...variables, KUBERNETES_EXEC_INFO: stringifyJson(execInfo(plugin, interactive)) },
      stdio: [interactive ? "inherit" : "ignore", "pipe", "inherit"],
    });
    const ended = new Promise<number | string>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve(code ?? signal ?? ""));
    });
    const [outcome, output] = await Promise.all([ended, text(child.stdout)]);
    if (outcome !== 0) throw failure(plugin, `failed with ${typeof outcome === "number" ? "exit code" : "signal"} ${outcome}`);
    printed = output;
  } catch (error) {
    if (error instanceof TransportError) throw error;
    // Without Node's own error, which has the arguments with it, or quotes a variable that no process can be given.
    throw failure(plugin, notStarted(plugin, error));
  }
  return readOutput(printed, plugin);
}

function isInteractive(plugin: ExecPlugin): boolean {
  const { interactiveMode = "IfAvailable" } = plugin;
  if (interactiveMode === "Never") return false;
  const hasTerminal = isatty(0);
  if (interactiveMode === "Always" && !hasTerminal) throw failure(plugin, "needs a terminal, and standard input is none");
  return hasTerminal;
}

function execInfo({ apiVersion, cluster }: ExecPlugin, interactive: boolean): unknown {
  return { kind: "ExecCredential", apiVersion, spec: { interactive, ...(cluster === undefined ? {} : { cluster: cluster() }) } };
}

function readOutput(printed: string, plugin: ExecPlugin): PluginOutput {
  const { apiVersion, kind, status } = parseOutput(printed, plugin);
  if (apiVersion !== plugin.apiVersion || kind !== "ExecCredential") {
    throw failure(
      plugin,
      `printed ${describe(kind)} of ${describe(apiVersion)} where an ExecCredential of ${plugin.apiVersion} was wanted`,
    );
  }
  if (!isRecord(status)) throw failure(plugin, "printed no status");
  const [token, certificate, key] = ["token", "clientCertificateData", "clientKeyData"].map((name) =>
    optionalText(status[name], `status.${name}`, plugin),
  );
  if ((certificate === undefined) !== (key === undefined)) throw failure(plugin, "printed a certificate without its key, or a key alone");
  if (token === undefined && certificate === undefined) throw failure(plugin, "printed neither a token nor a certificate");
  return {
    token,
    certificate: certificate === undefined || key === undefined ? undefined : { certificate, key },
    expiresAtMs: expiry(status["expirationTimestamp"], plugin),
  };
}

function parseOutput(printed: string, plugin: ExecPlugin): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(printed);
  } catch {
    // The parser would quote what the plugin has printed.
    value = undefined;
  }
  if (!isRecord(value)) throw failure(plugin, "did not print a JSON object");
  return value;
}

function expiry(value: unknown, plugin: ExecPlugin): number | undefined {
  const time = optionalText(value, "status.expirationTimestamp", plugin);
  if (time === undefined) return undefined;
  try {
    return parseTime(time);
  } catch (error) {
    throw failure(plugin, `printed a status.expirationTimestamp that is no time: ${describe(time)}`, error);
  }
}

function optionalText(value: unknown, field: string, plugin: ExecPlugin): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw failure(plugin, `printed a ${field} that is no text`);
  return value;
}

function notStarted({ installHint }: ExecPlugin, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOENT") return `cannot be run (${String(code)})`;
  return `is not installed${installHint === undefined ? "" : `: ${installHint.trim()}`}`;
}

function failure({ command }: ExecPlugin, problem: string, cause?: unknown): TransportError {
  return new TransportError("Unauthenticated", `exec plugin ${JSON.stringify(command)} ${problem}`, { cause });
}

function describe(value: unknown): string {
  return typeof value === "string" && value.length < 100 ? JSON.stringify(value) : "something";
}
