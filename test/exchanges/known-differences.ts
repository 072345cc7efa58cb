/** An exchange in which the embedded server answers otherwise than a real one, and why that is so. */
export interface KnownDifference {
  readonly recording: string;
  readonly scenario: string;
  readonly step: number;
  readonly reason: string;
}

const known = (recording: string, scenario: string, steps: readonly number[], reason: string): readonly KnownDifference[] =>
  steps.map((step) => ({ recording, scenario, step, reason }));

/** All of them. The test that replays the recordings fails when one of these is no difference any more. */
export const knownDifferences: readonly KnownDifference[] = [
  ...known("apply", "A5 what cannot be applied", [3], "what is wrong with YAML is said in the words of our parser"),
  ...known("custom-kinds", "K1 K14 life of a definition and its objects", [32], "refusals are written in JSON, whatever is accepted"),
  ...known("discovery", "O1 groups and resources", [0, 1], "there is no address of the server to tell in one process"),
  ...known(
    "discovery",
    "O1 groups and resources",
    [3],
    "nothing issues tokens in the server of this test, so that serviceaccounts/token is not listed",
  ),
  ...known("discovery", "O1 groups and resources", [12], "definitions are kept in v1; a real server keeps them in v1beta1"),
  ...known(
    "discovery",
    "O2 all at once",
    [0],
    "nothing issues tokens in the server of this test, so that serviceaccounts/token is not listed",
  ),
  ...known("discovery", "O2 all at once", [2], "there is no address of the server to tell in one process"),
  ...known(
    "errors",
    "E bodies that cannot be decoded",
    [20],
    "a number beyond 64 bits is quoted as it was understood, not as it was written",
  ),
  ...known("transforms", "X4 tables of what has no metadata", [2], "nothing of this was built by Go"),
  ...known(
    "writes",
    "C11 unknown and repeated fields",
    [4],
    "of a field given twice the last counts, where Go merges the two if they are maps",
  ),
  ...known("writes", "C16 numbers that are large", [1, 2], "an integer may be written with a fraction of zero or an exponent"),
  ...known("writes", "C1 protobuf bodies", [4], "what is wrong with protobuf is said in the words of our decoder"),
];
