/** Something wrong with an expression, at a position counted in code points. */
export interface Issue {
  readonly position: number;
  readonly message: string;
}

/** The text of an expression, in which positions count code points. */
export class Source {
  readonly text: string;
  /** The code points; positions are indexes of it. */
  readonly letters: readonly string[];

  constructor(text: string) {
    this.text = text;
    this.letters = Array.from(text);
  }

  /** All issues as cel-go shows them: sorted by position, each with the line it is in. */
  describe(issues: readonly Issue[]): string {
    const shown = issues.slice(0, mostShown).toSorted((left, right) => left.position - right.position);
    const lines = shown.map((issue) => this.#describe(issue));
    if (issues.length > mostShown) lines.push(`${issues.length - mostShown} more errors were truncated`);
    return lines.join("\n");
  }

  #describe({ position, message }: Issue): string {
    if (position < 0) return `ERROR: <input>:-1:0: ${message}`;
    const before = this.letters.slice(0, position);
    const line = before.filter((letter) => letter === "\n").length;
    const column = position - (before.lastIndexOf("\n") + 1);
    const head = `ERROR: <input>:${line + 1}:${column + 1}: ${message}`;
    const snippet = (this.text.split("\n")[line] ?? "").replaceAll("\t", " ");
    if (Buffer.byteLength(snippet) > longestSnippet) return head;
    const letters = Array.from(snippet);
    const dots = letters.slice(0, column).map((letter) => (isWide(letter) ? "\uff0e" : "."));
    return `${head}\n | ${snippet}\n | ${dots.join("")}${isWide(letters[column] ?? "") ? "\uff3e" : "^"}`;
  }
}

const mostShown = 100;
const longestSnippet = 16_384;

function isWide(letter: string): boolean {
  return letter > "\u007f";
}
