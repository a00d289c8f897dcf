/**
 * Formats a time (ms UTC) as `09:41` in the browser's time zone. First loads import this file instead of the larger
 * date-formats.ts.
 */
export const formatClock = (time: number | Date): string => new Date(time).toTimeString().slice(0, 5)
