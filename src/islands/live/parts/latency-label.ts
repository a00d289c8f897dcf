/** Formats a delay in seconds with one decimal. Rounds up, so that the tile never understates the delay. */
export const formatLatency = (ms: number): string => `${(Math.max(1, Math.ceil(ms / 100)) / 10).toFixed(1)} s`
export const rateLatency = (ms: number): 'good' | 'fair' | 'poor' =>
  ms <= 1000 ? 'good' : ms <= 3000 ? 'fair' : 'poor'
