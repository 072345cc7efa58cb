import { readFileSync, readdirSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { extname } from "node:path";

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

/** Where the page has its modules: those that touch the document, and those that both sides share. */
const folders = ["browser", "page"] as const;

/** Modules are compiled where this one is; from source, a browser gets them as Node does, without their types. */
const isSource = import.meta.url.endsWith(".ts");

/** All files of the page by their paths. Nothing else is ever read from the disk. */
export function pageFiles(): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const folder of folders) {
    const place = new URL(`../${folder}/`, import.meta.url);
    for (const name of readdirSync(place)) {
      if (/^[\w-]+\.(?:ts|js)$/.test(name)) addModule(files, `/${folder}/${name}`, readFileSync(new URL(name, place), "utf8"));
    }
  }
  // What is no program is published with the source.
  const assets = new URL("../../src/browser/", import.meta.url);
  const add = (path: string, name: string): unknown =>
    files.set(path, { type: types[extname(name)] ?? "", body: readFileSync(new URL(name, assets)) });
  add("/", "page.html");
  add("/style.css", "style.css");
  add("/icon.svg", "icon.svg");
  return files;
}

function addModule(files: Map<string, PageFile>, path: string, text: string): void {
  const file = { type: "text/javascript; charset=utf-8", body: Buffer.from(isSource ? stripTypeScriptTypes(text) : text) };
  files.set(path, file);
  // The page asks for its first module by the name it has when it is compiled.
  if (isSource) files.set(path.replace(/\.ts$/, ".js"), file);
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".svg": "image/svg+xml",
};
