const place = "kaji-dashboard-token";

/** Takes the token out of the address it was printed in and keeps it for all tabs of this dashboard; nobody sees it in the address after that. Returns whether there was one. */
export function takeToken(): boolean {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return false;
  localStorage.setItem(place, token);
  history.replaceState(undefined, "", "#/");
  return true;
}

/** Calls back when another tab has taken a token. */
export function onTokenOfOtherTab(callback: () => void): void {
  addEventListener("storage", ({ key }) => {
    if (key === place) callback();
  });
}

/** The token that was taken last; empty where there was none. */
export function storedToken(): string {
  return localStorage.getItem(place) ?? "";
}
