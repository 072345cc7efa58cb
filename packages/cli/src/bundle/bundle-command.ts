import { existsSync } from "node:fs";
import { extname } from "node:path";
import { isSemver, olmBundle, olmLosses, validateBundle } from "@kaji/manifests";
import type { BundleOptions, Maintainer } from "@kaji/manifests";
import { CommandError, UsageError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { readBytes } from "../read-text.ts";
import { manifestOptions } from "../manifests/manifest-flags.ts";
import { bringFolder } from "../manifests/manifest-folder.ts";
import { requireSoundDefinitions } from "../manifests/sound-definitions.ts";
import { takenNames } from "../manifests/taken-names.ts";
import { isSet, listOf, oneOf, optionalText, textOf } from "../option-values.ts";
import { loadOperator } from "../project/load-operator.ts";
import { openProject } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { bundleIn } from "./bundle-folder.ts";
import { requireSound } from "./olm-findings.ts";

/** `kaji bundle`: the operator for the Operator Lifecycle Manager. */
export const bundleCommand: Command = {
  help: `Usage: kaji bundle [options]

Writes the operator as a bundle for the Operator Lifecycle Manager (registry+v1): a ClusterServiceVersion from the same declarations as everything else, the CustomResourceDefinitions,
metadata, a scorecard configuration and a Dockerfile. The rules of the Operator Framework's own validators check it before anything is written.

Options:
  --out FOLDER          where to write it (default bundle)
  --check               write nothing, and fail if the files in the folder differ
  --version VERSION     the operator's version (default: that in package.json)
  --image IMAGE         the image that runs the operator (default NAME:vVERSION)
  --env NAME=VALUE      a variable of its environment, besides kaji.env in package.json; as often as needed
                        (kaji.deploy there says replicas, shards, resources and metrics-auth)
  --display-name NAME   the operator's name for people
  --description TEXT    what it is for
  --provider NAME       who offers it
  --maintainers LIST    whom to ask: Jane Doe <jane@example.com>, John Doe <john@example.com>
  --url URL             where to read about it
  --icon FILE           an SVG, PNG or JPEG
  --channels A,B        the channels it is in, the default one first (default stable)
  --replaces VERSION    the version that this one is an upgrade of
  --skips A,B           versions that an upgrade may leave out
  --project FOLDER      the operator's project (default: this folder)
  --output FORMAT       text or json (default text)
  --verbose             show where an error comes from

Example:
  kaji bundle --image registry.example.com/bars:1.2.3 --replaces 1.2.2 --maintainers "Jane Doe <jane@example.com>"
`,
  options: {
    out: { type: "string" },
    check: { type: "boolean" },
    version: { type: "string" },
    image: { type: "string" },
    env: { type: "string", multiple: true },
    "display-name": { type: "string" },
    description: { type: "string" },
    provider: { type: "string" },
    maintainers: { type: "string" },
    url: { type: "string" },
    icon: { type: "string" },
    channels: { type: "string" },
    replaces: { type: "string" },
    skips: { type: "string" },
    project: { type: "string" },
    output: { type: "string" },
  },
  run: bundle,
};

async function bundle(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  const folder = textOf(values, "out", "bundle");
  const project = openProject(textOf(values, "project", "."));
  const options = await bundleOptions(values, project);
  const operator = await loadOperator(project);
  await requireSoundDefinitions(operator);
  for (const line of takenNames(operator)) terminal.err(`warning: ${line}\n`);
  const files = olmBundle(operator, options);
  // What is there from before, such as the definition of a kind that is gone, would be installed too.
  const whole = new Map([...bundleIn(folder), ...files]);
  requireSound([...validateBundle(whole), ...olmLosses(operator)], "the bundle", terminal);
  bringFolder(folder, files, { terminal, output, isCheck: isSet(values, "check"), source: "operator" });
}

async function bundleOptions(values: OptionValues, project: Project): Promise<BundleOptions> {
  const url = optionalText(values, "url");
  const { image, env, metricsAuth, replicas, resources, shards } = await manifestOptions(values, project);
  return {
    version: versionOf(values, "version") ?? project.version,
    image,
    env,
    metricsAuth,
    replicas,
    resources,
    shards,
    displayName: optionalText(values, "display-name"),
    description: optionalText(values, "description"),
    provider: optionalText(values, "provider"),
    maintainers: listOf(values, "maintainers")?.map(maintainerOf),
    links: url === undefined ? undefined : [{ name: "Documentation", url }],
    icon: iconOf(optionalText(values, "icon")),
    channels: listOf(values, "channels"),
    replaces: versionOf(values, "replaces"),
    skips: listOf(values, "skips")?.map((version) => requireVersion("skips", version)),
  };
}

function versionOf(values: OptionValues, name: string): string | undefined {
  const version = optionalText(values, name);
  return version === undefined ? undefined : requireVersion(name, version);
}

function requireVersion(name: string, version: string): string {
  if (!isSemver(version)) throw new UsageError(`--${name} must be a version such as 1.2.3, not '${version}'`);
  return version;
}

function maintainerOf(text: string): Maintainer {
  const [, name, email] = /^(.+?) *<([^<>@ ]+@[^<>@ ]+)>$/.exec(text) ?? [];
  if (name === undefined || email === undefined)
    throw new UsageError(`--maintainers must be such as Jane Doe <jane@example.com>, not '${text}'`);
  return { name, email };
}

const mediaTypes: ReadonlyMap<string, string> = new Map([
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
]);

function iconOf(path: string | undefined): BundleOptions["icon"] {
  if (path === undefined) return undefined;
  const mediatype = mediaTypes.get(extname(path).toLowerCase());
  if (mediatype === undefined) throw new UsageError(`--icon must be a file .svg, .png or .jpg, not '${path}'`);
  if (!existsSync(path)) throw new CommandError(`there is no icon ${path}`);
  return { base64data: readBytes(path).toString("base64"), mediatype };
}
