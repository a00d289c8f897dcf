/** Where the browsers of the specs are: not where the clock of most machines that run them is. */
export const TIME_ZONE = 'Europe/Berlin'

/** The day of an instant (ms UTC) there, `YYYY-MM-DD`. */
export const dayThere = (time: number): string => new Date(time).toLocaleDateString('sv', { timeZone: TIME_ZONE })

/** The day there that is so many days before that of `now`, also where one of them was an hour longer. */
export const daysAgo = (days: number, now = Date.now()): string =>
  new Date(Date.parse(dayThere(now)) - days * 86_400_000).toISOString().slice(0, 10)

/** A zone where the day is half over at any hour, so that something has happened in it; west of Greenwich is `+`. */
const HOURS_AHEAD = 13 - new Date().getUTCHours()
export const HALF_DAY_ZONE = `Etc/GMT${HOURS_AHEAD > 0 ? '-' : '+'}${Math.abs(HOURS_AHEAD)}`
