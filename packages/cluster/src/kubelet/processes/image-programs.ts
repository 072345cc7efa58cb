import { basename } from "node:path";
import type { Container } from "@kaji/types/core/v1";
import { isShell } from "../command-outcome.ts";
import { imageRepository } from "../image-reference.ts";

/** The program that a container runs, with all its arguments; undefined if it is not to run really. */
export type ProgramLookup = (container: Container) => readonly string[] | undefined;

/** The program that stands for a command which a probe or a hook of a container runs there, with all its arguments; undefined if it is not to run really. */
export type CommandLookup = (container: Container, words: readonly string[]) => readonly string[] | undefined;

/**
 * Runs programs of this machine for images, by the name of the image without its tag: `{ "example.com/web": ["/opt/web", "--verbose"] }`. The program stands for the
 * image's entrypoint: a container that has another command is not run, as no program but these ever is. A shell alone, `{ busybox: ["sh"] }`, is what it is in images: run
 * where a container says nothing else, and whatever it says where it does. A shell would run that as well.
 */
export function imagePrograms(programs: Readonly<Record<string, readonly string[]>>): ProgramLookup {
  const byRepository = new Map(Object.entries(programs).map(([image, program]) => [imageRepository(image), program]));
  return ({ image = "", command = [], args = [] }) => {
    const program = byRepository.get(imageRepository(image));
    const [entrypoint, ...more] = command;
    if (program === undefined || program[0] === undefined) return undefined;
    if (program.length === 1 && isShell(program[0])) return shellCommand(program[0], [...command, ...args]);
    if (entrypoint !== undefined && basename(entrypoint) !== basename(program[0])) return undefined;
    return [...program, ...more, ...args];
  };
}

/** Words that begin with an option are meant for the shell. */
function shellCommand(shell: string, words: readonly string[]): readonly string[] {
  const [first = "-"] = words;
  return first.startsWith("-") ? [shell, ...words] : words;
}
