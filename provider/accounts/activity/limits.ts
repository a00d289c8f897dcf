/** Rows of a log; the oldest go. */
export const ROWS_MAX = 20_000
/** Rows that one kind gets in an hour; what comes then is counted in one row more. */
export const ROWS_AN_HOUR = 120
