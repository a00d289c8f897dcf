import type { Pace } from '../../contract/pace.ts'
import { Refusal } from '../base/refusal.ts'

/** Takes one of the pace for `who`, or refuses with 429 and when to come back. `now` in ms UTC. */
export function requirePace(pace: Pace, who: string, now: number): void {
  const waitMs = pace.take(who, now)
  if (waitMs > 0) throw new Refusal(429, 429, undefined, { 'Retry-After': String(Math.ceil(waitMs / 1000)) })
}
