/** Parses redirect times (ms) from the comma-separated text in session storage; ignores invalid values. */
export function parseRedirectTimes(text: string | null): number[] {
  return (text ?? '')
    .split(',')
    .map(Number)
    .filter((time) => time > 0)
}

/**
 * Returns the redirect times within the last `windowMs`, including `now`. From the `count`-th redirect in this window
 * on, `tooOften` is true and `now` is omitted; the caller must then not redirect (OPEN-06).
 */
export function checkRedirectLoop(
  times: readonly number[],
  now: number,
  limit: { readonly count: number; readonly windowMs: number },
): { readonly tooOften: boolean; readonly times: readonly number[] } {
  const recent = times.filter((time) => now - time < limit.windowMs)
  const isLoop = recent.length + 1 >= limit.count
  return { tooOften: isLoop, times: isLoop ? recent : [...recent, now] }
}
