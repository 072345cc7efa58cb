import { createHash } from "node:crypto";

/** An image as a node knows it: with registry and tag, however short it was written. */
export function fullImageName(image: string): string {
  const [first = "", ...rest] = image.split("/");
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const path = hasRegistry ? image : `docker.io/${rest.length === 0 ? "library/" : ""}${image}`;
  const lastPart = path.slice(path.lastIndexOf("/") + 1);
  return /[:@]/.test(lastPart) ? path : `${path}:latest`;
}

/** Where an image is kept: its full name without tag and digest. */
export function imageRepository(image: string): string {
  return fullImageName(image)
    .replace(/@.*$/, "")
    .replace(/:[^/]*$/, "");
}

/** The digest of an image; computed from its name, as nothing is pulled. */
export function imageId(image: string): string {
  const full = fullImageName(image);
  if (full.includes("@")) return full;
  return `${full.slice(0, full.lastIndexOf(":"))}@sha256:${createHash("sha256").update(full).digest("hex")}`;
}

/** The id of one run of a container. */
export function containerId(podUid: string, container: string, restartCount: number): string {
  return `containerd://${createHash("sha256").update(`${podUid}/${container}/${restartCount}`).digest("hex")}`;
}
