/** Maximum rows of a log; the oldest are deleted. */
export const ACTIVITY_ROWS_MAX = 20_000
/** Maximum rows per kind and hour. One extra row counts all further events of the hour. */
export const ROWS_PER_HOUR_MAX = 120
