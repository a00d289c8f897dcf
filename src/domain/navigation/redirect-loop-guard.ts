/** Parses the times (ms) of rate-limited actions from the text that browser storage keeps between pages. */
export function parseRedirectTimes(text: string | null): number[] {
  return (text ?? '')
    .split(',')
    .map(Number)
    .filter((time) => time > 0)
}

/**
 * Adds `now` to the times within the window. If `now` is the `count`-th time in the window, `tooOften` is true, `now`
 * is not added, and the caller must stop (OPEN-06).
 */
export function checkRedirectLoop(
  times: readonly number[],
  now: number,
  limit: { readonly count: number; readonly windowMs: number },
): { readonly tooOften: boolean; readonly times: readonly number[] } {
  const recent = times.filter((time) => now - time < limit.windowMs)
  const tooOften = recent.length + 1 >= limit.count
  return { tooOften, times: tooOften ? recent : [...recent, now] }
}
