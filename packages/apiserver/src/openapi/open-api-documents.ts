import { createHash } from "node:crypto";
import { isJsonObject, parseJson, parseJsonBytes, stringifyJson } from "@kaji/core";
import type { KindRegistry, ServedVersion } from "../kind-registry.ts";
import type { Kind } from "../kind.ts";
import type { DefinitionSource } from "./definition-source.ts";
import { gnosticDocument } from "./gnostic-document.ts";
import { mergedV2 } from "./merged-v2.ts";
import type { RemoteDocument } from "./merged-v2.ts";
import { sectionsOf } from "./section.ts";
import type { Section } from "./section.ts";
import { createV2Writer } from "./v2-document.ts";
import { createV3Writer } from "./v3-document.ts";
import type { OpenApiInfo } from "./v3-document.ts";

/** A document as it is sent. */
export interface PublishedDocument {
  readonly bytes: Uint8Array;
  /** Tells this document from all others. */
  readonly hash: string;
}

/** The documents on the kinds that are served now. Each is built when it is first asked for, and again when its own kinds have changed. */
export class OpenApiDocuments {
  readonly #registry: KindRegistry;
  readonly #writeV2: (sections: readonly Section[]) => string;
  readonly #writeV3: (section: Section) => string;
  /** The kinds that the documents are about. */
  #kinds: readonly Kind[] = [];
  #pages = new Map<string, Page>();
  /** What other servers said that is in the document of v2. */
  #remotes: readonly RemoteDocument[] = [];
  #v2: PublishedDocument | undefined;
  #v2Protobuf: PublishedDocument | undefined;

  constructor(registry: KindRegistry, source: DefinitionSource, info: OpenApiInfo) {
    this.#registry = registry;
    this.#writeV2 = createV2Writer(source, info);
    this.#writeV3 = createV3Writer(source, info);
  }

  /** Where the documents of v3 are: their paths below `/openapi/v3/`, each with its hash. */
  index(): ReadonlyMap<string, string> {
    this.#refresh();
    const pages = [...this.#pages.values()].toSorted((left, right) => (left.section.path < right.section.path ? -1 : 1));
    return new Map(pages.map((page) => [page.section.path, this.#build(page).hash]));
  }

  /** The document of v3 at a path below `/openapi/v3/`; undefined when there is none. */
  v3(path: string): PublishedDocument | undefined {
    this.#refresh();
    const page = this.#pages.get(path);
    return page && this.#build(page);
  }

  /** The one document of v2, with what other servers say of theirs. */
  v2(remotes: readonly RemoteDocument[] = []): PublishedDocument {
    this.#refresh();
    if (!haveSame(remotes, this.#remotes, (left, right) => left === right)) {
      this.#remotes = remotes;
      this.#v2 = undefined;
    }
    this.#v2 ??= this.#buildV2(remotes);
    return this.#v2;
  }

  /** The document of v2 in protobuf. Its hash is that of the other form, since it says the same. */
  v2Protobuf(remotes: readonly RemoteDocument[] = []): PublishedDocument {
    const { bytes, hash } = this.v2(remotes);
    if (this.#v2Protobuf?.hash !== hash) this.#v2Protobuf = { bytes: gnosticDocument(parseJsonBytes(bytes)), hash };
    return this.#v2Protobuf;
  }

  #buildV2(remotes: readonly RemoteDocument[]): PublishedDocument {
    const text = this.#writeV2(Array.from(this.#pages.values(), ({ section }) => section));
    const own = remotes.length === 0 ? undefined : parseJson(text);
    return published(isJsonObject(own) ? stringifyJson(mergedV2(own, remotes)) : text);
  }

  #build(page: Page): PublishedDocument {
    page.document ??= published(this.#writeV3(page.section));
    return page.document;
  }

  #refresh(): void {
    const { kinds } = this.#registry;
    if (haveSame(kinds, this.#kinds, (left, right) => left === right)) return;
    const known = this.#pages;
    this.#kinds = kinds;
    this.#v2 = undefined;
    this.#pages = new Map(
      sectionsOf(kinds).map((section) => {
        const page = known.get(section.path);
        return [
          section.path,
          page !== undefined && haveSame(page.section.served, section.served, isSameVersion) ? page : { section, document: undefined },
        ];
      }),
    );
  }
}

/** A section, and its document once it has been asked for. */
interface Page {
  readonly section: Section;
  document: PublishedDocument | undefined;
}

function published(text: string): PublishedDocument {
  const bytes = Buffer.from(text);
  return { bytes, hash: createHash("sha512").update(bytes).digest("hex").toUpperCase() };
}

function isSameVersion(left: ServedVersion, right: ServedVersion): boolean {
  return left.kind === right.kind && left.version === right.version;
}

function haveSame<T>(left: readonly T[], right: readonly T[], isSame: (left: T, right: T) => boolean): boolean {
  return (
    left.length === right.length &&
    left.every((each, index) => {
      const other = right[index];
      return other !== undefined && isSame(each, other);
    })
  );
}
