import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../command.ts";
import type { Command, OptionValues, Terminal } from "../command.ts";
import { imageOf } from "../image-option.ts";
import { oneOf, textOf } from "../option-values.ts";
import { openProject } from "../project/project.ts";
import type { Project } from "../project/project.ts";
import { writeText } from "../write-text.ts";
import { bundleOperator } from "./bundle-operator.ts";
import { dockerfile } from "./dockerfile.ts";
import { findImageBuilder, imageBuild } from "./image-builder.ts";
import { softwareBill } from "./software-bill.ts";

/** `kaji build`: what goes into an image, and the image where something is at hand that can make one. */
export const buildCommand: Command = {
  help: `Usage: kaji build [options]

Bundles the operator with all it imports into dist/main.js, with a source map and a bill of materials (CycloneDX), and makes a Dockerfile if there is none. With --image the image is
built too, by docker, podman or buildah, whichever is there.

Options:
  --image IMAGE      the name of an image to build
  --project FOLDER   the operator's project (default: this folder)
  --output FORMAT    text or json (default text)
  --verbose          show where an error comes from

Examples:
  kaji build
  kaji build --image registry.example.com/bars:1.2.3
`,
  options: { image: { type: "string" }, project: { type: "string" }, output: { type: "string" } },
  run: build,
};

async function build(values: OptionValues, terminal: Terminal): Promise<void> {
  const output = oneOf(values, "output", ["text", "json"]);
  const image = await imageOf(values);
  const project = openProject(textOf(values, "project", "."));
  const { folder } = project;
  const inputs = await bundled(project, terminal);
  writeText(join(folder, "dist/package.json"), `${JSON.stringify({ name: project.name, version: project.version, type: "module" })}\n`);
  writeText(join(folder, "dist/sbom.json"), softwareBill(project, inputs));
  if (!existsSync(join(folder, "Dockerfile"))) writeText(join(folder, "Dockerfile"), dockerfile);
  const bytes = statSync(join(folder, "dist/main.js")).size;
  if (image !== undefined) await buildImage(project, image, terminal);
  const answer = { bundle: join(folder, "dist/main.js"), bytes, ...(image === undefined ? {} : { image }) };
  const line = `dist/main.js has ${Math.ceil(bytes / 1024)} KiB${image === undefined ? "; kaji build --image IMAGE makes an image of it" : `, and is in ${image}`}`;
  terminal.out(output === "json" ? `${JSON.stringify(answer)}\n` : `${line}\n`);
}

/** Bundles the project; a user who has to wait for it is told what for. */
async function bundled(project: Project, terminal: Terminal): Promise<readonly string[]> {
  const { systemClock } = await import("@kaji/core");
  using _timer = systemClock.timer(1000, () => terminal.err(`bundling ${project.mainFile} with all it imports\n`));
  return bundleOperator(project);
}

async function buildImage(project: Project, image: string, terminal: Terminal): Promise<void> {
  const builder = findImageBuilder(process.env["PATH"] ?? "");
  const { command, run } = imageBuild(builder ?? "docker", project, image);
  if (builder === undefined) {
    throw new CommandError(
      `dist is ready, but there is no docker, podman or buildah here to make ${image}; where there is one, run: ${command}`,
    );
  }
  terminal.err(`${command}\n`);
  await run();
}
