import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { CommandError } from "../command.ts";
import type { Project } from "../project/project.ts";
import { shellWord } from "../shell-word.ts";

/** A program that makes images out of Dockerfiles. */
export type ImageBuilder = (typeof builders)[number];

const builders = ["docker", "podman", "buildah"] as const;

/** The first of the programs that is in the search path. */
export function findImageBuilder(searchPath: string): ImageBuilder | undefined {
  const isThere = (name: string): boolean => searchPath.split(delimiter).some((folder) => isExecutable(join(folder, name)));
  return builders.find(isThere);
}

/** The command that makes an image of a project, labelled with what is in it. */
export function imageBuild(
  builder: ImageBuilder,
  { folder, name, version }: Project,
  image: string,
): { readonly command: string; readonly run: () => Promise<void> } {
  const labels = [`org.opencontainers.image.title=${name}`, `org.opencontainers.image.version=${version}`];
  const parameters = ["build", "--tag", image, ...labels.flatMap((label) => ["--label", label]), folder];
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = spawn(builder, parameters, { stdio: ["ignore", "inherit", "inherit"] });
      child.once("error", reject);
      child.once("close", (code) =>
        code === 0 ? resolve() : reject(new CommandError(`${builder} could not build ${image}; see what it says above`)),
      );
    });
  return { command: [builder, ...parameters].map(shellWord).join(" "), run };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
