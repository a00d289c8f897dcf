import { formatCount } from './counts.ts'
import { dayMonthLabel, timeOrDayLabel } from '../time/date-formats.ts'

const NO_BREAK_SPACE = '\u00a0'

/** Times in Unix seconds. */
interface SessionTimes {
  readonly started: number
  readonly last_used: number
  readonly ends: number
  readonly current: boolean
}

/** Describes a session: `This device, since 07:52 · expires 6 December`, `Yesterday · expires 5 December`. `now`: ms UTC. */
export function sessionText({ started, last_used, ends, current }: SessionTimes, now: number): string {
  const day = timeOrDayLabel((current ? started : last_used) * 1000, now)
  const end = `expires ${dayMonthLabel(ends * 1000)}`.replaceAll(' ', NO_BREAK_SPACE)
  return `${current ? `This device, since ${day}` : day} · ${end}`
}

/** Returns the sentence about idle timeout and absolute lifetime of sessions. Both arguments are in seconds. */
export const lifetimeText = (idleSeconds: number, lifetimeSeconds: number): string =>
  `Sessions expire after ${sessionDurationLabel(idleSeconds)} of inactivity, and no later than ${sessionDurationLabel(lifetimeSeconds)} after login.`

function sessionDurationLabel(seconds: number): string {
  const [count, unit] = seconds >= 86_400 ? ([seconds / 86_400, 'day'] as const) : ([seconds / 3600, 'hour'] as const)
  return formatCount(Math.max(1, Math.round(count)), unit)
}
