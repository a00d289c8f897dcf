/** Time zone of the browsers in specs. It differs from the time zone of most machines that run the specs. */
export const TIME_ZONE = 'Europe/Berlin'

/** Returns the day of a time (ms UTC) in `TIME_ZONE` as `YYYY-MM-DD`. */
export const formatDay = (time: number): string => new Date(time).toLocaleDateString('sv', { timeZone: TIME_ZONE })

/** Returns the day in `TIME_ZONE` that is `days` before the day of `now`, even across daylight saving changes. */
export const formatDayBefore = (days: number, now = Date.now()): string =>
  new Date(Date.parse(formatDay(now)) - days * 86_400_000).toISOString().slice(0, 10)

/**
 * UTC offset of a time zone in which the tests start between 13:00 and 14:00, so that today already has events.
 * In `Etc/GMT` names, `+` means west of Greenwich.
 */
const HOURS_AHEAD = 13 - new Date().getUTCHours()
export const AFTERNOON_TIME_ZONE = `Etc/GMT${HOURS_AHEAD > 0 ? '-' : '+'}${Math.abs(HOURS_AHEAD)}`
