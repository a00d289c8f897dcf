/** Time zone of the browsers in specs. It differs from the zone of most machines that run them. */
export const TIME_ZONE = 'Europe/Berlin'

/** Day of an instant (ms UTC) in `TIME_ZONE`, `YYYY-MM-DD`. */
export const dayThere = (time: number): string => new Date(time).toLocaleDateString('sv', { timeZone: TIME_ZONE })

/** Day in `TIME_ZONE` that is `days` before the day of `now`, correct across daylight saving changes. */
export const daysAgo = (days: number, now = Date.now()): string =>
  new Date(Date.parse(dayThere(now)) - days * 86_400_000).toISOString().slice(0, 10)

/**
 * UTC offset, in hours, of a time zone in which it is past 13:00 when the tests start, so that today already has
 * events. In `Etc/GMT` names, `+` means west of Greenwich.
 */
const HOURS_AHEAD = 13 - new Date().getUTCHours()
export const HALF_DAY_ZONE = `Etc/GMT${HOURS_AHEAD > 0 ? '-' : '+'}${Math.abs(HOURS_AHEAD)}`
