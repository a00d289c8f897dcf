import { dayMonth, timeOrDayLabel } from '../time/date-formats.ts'

const NO_BREAK = '\u00a0'

/** Times in Unix seconds. */
interface Times {
  readonly started: number
  readonly last_used: number
  readonly ends: number
  readonly current: boolean
}

/** `This device, since 07:52 · ends 6 December`; `Yesterday · ends 5 December`. `now` in ms UTC. */
export function sessionText({ started, last_used, ends, current }: Times, now: number): string {
  const day = timeOrDayLabel((current ? started : last_used) * 1000, now)
  const end = `ends ${dayMonth(ends * 1000)}`.replaceAll(' ', NO_BREAK)
  return `${current ? `This device, since ${day}` : day} · ${end}`
}

/** Returns the sentence about idle timeout and absolute lifetime of sessions, both in seconds. */
export const lifetimeText = (idle: number, life: number): string =>
  `Ends after ${spanLabel(idle)} unused, or after ${spanLabel(life)}.`

function spanLabel(seconds: number): string {
  const [count, unit] = seconds >= 86_400 ? [seconds / 86_400, 'day'] : [seconds / 3600, 'hour']
  const rounded = Math.max(1, Math.round(count))
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`
}
