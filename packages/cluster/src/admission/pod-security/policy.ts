import { FieldPath, invalidValue } from "@kaji/core";
import type { FieldError } from "@kaji/core";

/** From the laxest to the strictest. */
const levels = ["privileged", "baseline", "restricted"] as const;

/** A Pod Security Standard: how much a pod may do. */
export type Level = (typeof levels)[number];

/** A standard as it was in one version of Kubernetes, `v1.N`, or as it is now, `latest`. */
export interface Standard {
  readonly level: Level;
  readonly version: string;
}

/** What a namespace wants of its pods: what they are refused for, what audits are told of, and what their authors are warned of. */
export interface PodSecurityPolicy {
  readonly enforce: Standard;
  readonly audit: Standard;
  readonly warn: Standard;
}

/** A policy as labels say it, and what is wrong with the labels. */
export interface NamespacePolicy {
  readonly policy: PodSecurityPolicy;
  readonly errors: readonly FieldError[];
}

type Labels = Readonly<Record<string, string>>;

/** Begins the labels of namespaces about pod security, and the names of what audits are told of it. */
export const labelPrefix = "pod-security.kubernetes.io/";
const path = FieldPath.of("metadata", "labels");
const largestMinor = 2n ** 63n - 1n;
const unrestricted: Standard = { level: "privileged", version: "latest" };
const unlabelled: NamespacePolicy = { policy: { enforce: unrestricted, audit: unrestricted, warn: unrestricted }, errors: [] };

/**
 * Reads the labels of a namespace. Where they say nothing all is allowed. Where they say what nobody understands, only what meets the strictest
 * standard is let in, but nobody is warned.
 */
export function policyOf(labels: Labels = {}): NamespacePolicy {
  if (!Object.keys(labels).some((label) => label.startsWith(labelPrefix))) return unlabelled;
  const errors: FieldError[] = [];
  const enforce = standardOf("enforce", "restricted", labels, errors);
  const audit = standardOf("audit", "privileged", labels, errors);
  const warn = warnedOf(labels, enforce, standardOf("warn", "privileged", labels, errors));
  return { policy: { enforce, audit, warn }, errors };
}

/** A standard as messages name it: `restricted:latest`. */
export function standardName({ level, version }: Standard): string {
  return `${level}:${version}`;
}

/** Whether there may be pods that met a standard before and do not meet the one there is now. */
export function mayAskMore(now: Standard, before: Standard): boolean {
  if (now.level === "privileged") return false;
  return now.version !== before.version || levels.indexOf(now.level) > levels.indexOf(before.level);
}

/** Whether a policy lets every pod in without a word. */
export function isOpen({ enforce, audit, warn }: PodSecurityPolicy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}

function standardOf(mode: keyof PodSecurityPolicy, misread: Level, labels: Labels, errors: FieldError[]): Standard {
  const complain = (label: string, value: string, rule: string): void => void errors.push(invalidValue(path.key(label), value, rule));
  const [levelLabel, versionLabel] = [`${labelPrefix}${mode}`, `${labelPrefix}${mode}-version`];
  const { [levelLabel]: level = "privileged", [versionLabel]: version = "latest" } = labels;
  if (!isLevel(level)) complain(levelLabel, level, `must be one of ${levels.join(", ")}`);
  if (!isVersion(version)) complain(versionLabel, version, 'must be "latest" or "v1.x"');
  return { level: isLevel(level) ? level : misread, version: isVersion(version) ? version : "latest" };
}

/** What is enforced is warned of too, since templates are let in all the same, unless the labels have a word of their own on that. */
function warnedOf(labels: Labels, enforce: Standard, warn: Standard): Standard {
  const isSaid = (label: string): boolean => labels[labelPrefix + label] !== undefined;
  const isEnforced = labels[`${labelPrefix}enforce`] === enforce.level && enforce.level !== "privileged";
  if (!isEnforced || isSaid("warn")) return warn;
  return { level: enforce.level, version: isSaid("warn-version") ? warn.version : enforce.version };
}

function isLevel(text: string): text is Level {
  return levels.some((level) => level === text);
}

function isVersion(text: string): boolean {
  if (text === "latest") return true;
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(text)?.[1];
  return minor !== undefined && BigInt(minor) <= largestMinor;
}
