/** Maximum rows of a log; the oldest are deleted. */
export const ACTIVITY_ROWS_MAX = 20_000
/** Maximum rows per kind and hour; further events are counted in one extra row. */
export const ROWS_PER_HOUR_MAX = 120
