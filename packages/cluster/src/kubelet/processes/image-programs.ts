import { basename } from "node:path";
import type { Container } from "@kaji/types/core/v1";
import { imageRepository } from "../image-reference.ts";

/** The program that a container runs, with all its arguments; undefined if it is not to run really. */
export type ProgramLookup = (container: Container) => readonly string[] | undefined;

/** The program that stands for a command which a probe or a hook of a container runs there, with all its arguments; undefined if it is not to run really. */
export type CommandLookup = (container: Container, words: readonly string[]) => readonly string[] | undefined;

/**
 * Runs programs of this machine for images, by the name of the image without its tag: `{ "example.com/web": ["/opt/web", "--verbose"] }`. The program stands for the
 * image's entrypoint: a container that has another command is not run, as no program but these ever is.
 */
export function imagePrograms(programs: Readonly<Record<string, readonly string[]>>): ProgramLookup {
  const byRepository = new Map(Object.entries(programs).map(([image, program]) => [imageRepository(image), program]));
  return ({ image = "", command = [], args = [] }) => {
    const program = byRepository.get(imageRepository(image));
    const [entrypoint, ...more] = command;
    if (program === undefined || program[0] === undefined) return undefined;
    if (entrypoint !== undefined && basename(entrypoint) !== basename(program[0])) return undefined;
    return [...program, ...more, ...args];
  };
}
