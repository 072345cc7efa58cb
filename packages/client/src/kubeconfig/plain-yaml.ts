/** A line without its indentation. */
interface Line {
  readonly indent: number;
  readonly text: string;
}

const unusual: unique symbol = Symbol("unusual");

/**
 * Reads YAML in the form in which tools write kubeconfigs: blocks of fields and lists, with values that can mean one thing only. Undefined for
 * everything else, right or wrong, which is for a real parser: to load one takes longer than all the rest of a client, and 8 MB.
 */
export function readPlainYaml(text: string): unknown {
  try {
    return new PlainYaml(text).document();
  } catch (error) {
    if (error === unusual) return undefined;
    throw error;
  }
}

class PlainYaml {
  readonly #lines: Line[];
  #at = 0;

  constructor(text: string) {
    const lines = text.split("\n").filter((line) => !/^ *(?:#.*)?$/.test(line));
    this.#lines = lines.map((line) => {
      const content = line.trimStart();
      return { indent: line.length - content.length, text: content };
    });
    if (/[^\n\x20-\x7e]/.test(text)) throw unusual;
  }

  document(): unknown {
    const value = this.#lines[0]?.indent === 0 ? this.#block(0) : bail();
    return this.#at === this.#lines.length ? value : bail();
  }

  #block(indent: number): unknown {
    return this.#next?.text.startsWith("- ") === true ? this.#list(indent) : this.#fields(indent);
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let line = this.#next; line?.indent === indent && line.text.startsWith("- "); line = this.#next) {
      const content = line.text.slice(1).trimStart();
      if (isField(content)) {
        // The first field of the item stands where the others do, behind the dash.
        const inner = indent + line.text.length - content.length;
        this.#lines[this.#at] = { indent: inner, text: content };
        items.push(this.#fields(inner));
      } else {
        this.#at++;
        items.push(valueOf(content));
      }
      if ((this.#next?.indent ?? 0) > indent) throw unusual;
    }
    return items;
  }

  #fields(indent: number): object {
    const fields = new Map<string, unknown>();
    for (let line = this.#next; line?.indent === indent && !line.text.startsWith("- "); line = this.#next) {
      const [, name = bail(), text] = field.exec(line.text) ?? [];
      if (fields.has(name) || isSpecial(name)) throw unusual;
      this.#at++;
      fields.set(name, text === undefined ? this.#nested(indent) : valueOf(text));
      if ((this.#next?.indent ?? 0) > indent) throw unusual;
    }
    return fields.size === 0 ? bail() : Object.fromEntries(fields);
  }

  /** What stands below a field; a list may stand as far to the left as the field itself. */
  #nested(indent: number): unknown {
    const line = this.#next;
    if (line === undefined) return null;
    if (line.indent > indent) return this.#block(line.indent);
    return line.indent === indent && line.text.startsWith("- ") ? this.#list(indent) : null;
  }

  get #next(): Line | undefined {
    return this.#lines[this.#at];
  }
}

const field = /^([A-Za-z][\w.-]*):(?: +(.*\S))? *$/;
/** Words of characters that mean nothing in YAML, one space apart; a colon only inside of a word. */
const plain = /^(?![-=.]+(?: |$))[\w./+=-]+(?::[\w./+=-]+)*(?: [\w./+=]+)*$/;

function isField(text: string): boolean {
  return field.test(text);
}

function valueOf(text: string): unknown {
  if (text === "{}") return {};
  if (text === "[]") return [];
  const [, quoted] = /^"([^"\\]*)"$/.exec(text) ?? /^'([^']*)'$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  const [, inner] = /^\{ ([^{}[\]"',]+(?:, [^{}[\]"',]+)*) \}$/.exec(text) ?? [];
  return inner === undefined ? scalarOf(text) : flowFields(inner);
}

/** Fields in braces, whose values are scalars. */
function flowFields(text: string): object {
  const fields = new Map<string, unknown>();
  for (const part of text.split(", ")) {
    const [, name = bail(), value = bail()] = field.exec(part) ?? [];
    if (fields.has(name) || isSpecial(name)) throw unusual;
    fields.set(name, scalarOf(value));
  }
  return Object.fromEntries(fields);
}

function scalarOf(text: string): string | boolean | null {
  if (text === "null") return null;
  if (text === "true" || text === "false") return text === "true";
  return plain.test(text) && !isSpecial(text) ? text : bail();
}

/** Whether a text may mean a number, a truth, nothing, or a merge of others. */
function isSpecial(text: string): boolean {
  return /^(?:[-+.]?[\d.][\d_.eE+-]*|0[xob][\da-fA-F_]*|[-+]?\.(?:inf|nan)|null|true|false|yes|no|on|off|y|n|~|<<|=)$/i.test(text);
}

function bail(): never {
  throw unusual;
}
