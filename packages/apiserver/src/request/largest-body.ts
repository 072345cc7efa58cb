/** Bodies beyond this are refused: the limit of the real server. */
export const largestBody: number = 3 * 1024 * 1024;
