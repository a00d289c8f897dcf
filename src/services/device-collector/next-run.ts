import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'
import { TTL_MAX_MS } from './collector-rules.ts'

/**
 * Earliest time at which the collector may run again for a session, ms UTC. All tabs of the browser share it
 * (OPEN-149).
 */
interface StoredDueTime {
  readonly session: string
  readonly due: number
}

/**
 * Returns how long the collector must wait before it may run in this session, ms; 0 if it may run now. Ignores a stored
 * due time that is unreadable or exceeds the maximum time-to-live (after a clock change).
 */
export function computeRunDelayMs(
  session: string,
  { localStorage, now }: Pick<CollectorPorts, 'localStorage' | 'now'>,
  keys: CollectorKeys,
): number {
  const stored = parseDueTime(localStorage.read(keys.due))
  const waitMs = stored?.session === session && typeof stored.due === 'number' ? stored.due - now() : 0
  return waitMs > 0 && waitMs <= TTL_MAX_MS ? waitMs : 0
}

export const storeDueTime = (
  { localStorage }: Pick<CollectorPorts, 'localStorage'>,
  keys: CollectorKeys,
  due: StoredDueTime,
): void => void localStorage.write(keys.due, JSON.stringify(due))

function parseDueTime(text: string | null): Partial<StoredDueTime> | null {
  try {
    return JSON.parse(text ?? 'null') as Partial<StoredDueTime> | null
  } catch {
    return null
  }
}
