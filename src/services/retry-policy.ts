/** Maximum number of retries after a failed request of analytics or the experiment (EXPERIMENT-06). */
export const RETRIES_MAX = 8

const BASE_DELAY_MS = 500
const DELAY_FACTOR = 1.5
const DELAY_MAX_MS = 10_000

/** Returns the delay before a retry, ms (EXPERIMENT-07). `retry`: number of earlier retries. */
export const getRetryDelayMs = (retry: number): number => Math.min(BASE_DELAY_MS * DELAY_FACTOR ** retry, DELAY_MAX_MS)

/** Statuses that the specification allows to retry (EXPERIMENT-08). */
const isRetryableStatus = (status: number): boolean => status < 400 || status >= 500 || status === 429

/** Returns true if a failed request may succeed later. `status`: 0 without a response. A 2xx is final (OPEN-104). */
export const canRetry = (status: number): boolean => isRetryableStatus(status) && !(status >= 200 && status < 300)
