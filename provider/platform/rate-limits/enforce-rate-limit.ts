import type { Pace } from '../../../contract/wire/rate-limiter.ts'
import { tooOften } from '../api-error.ts'

/** Takes one of the pace for `who`, or refuses with 429 and when to come back. `now` in ms UTC. */
export function requirePace(pace: Pace, who: string, now: number): void {
  const waitMs = pace.take(who, now)
  if (waitMs > 0) throw tooOften(waitMs)
}
