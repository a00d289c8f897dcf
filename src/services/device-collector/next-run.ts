import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'
import { TTL_MAX_MS } from './collector-rules.ts'

/**
 * Earliest time at which the collector may run again for a session, ms UTC. All tabs of the browser share it
 * (OPEN-149).
 */
interface Due {
  readonly session: string
  readonly due: number
}

/**
 * Returns how many ms the collector must still wait before it may run in this session; 0 if it may run now. Ignores a
 * stored due time that is unreadable, or further ahead than the maximum time-to-live because the clock was changed.
 */
export function waitFor(
  session: string,
  { local, now }: Pick<CollectorPorts, 'local' | 'now'>,
  keys: CollectorKeys,
): number {
  const stored = parse(local.read(keys.due))
  const wait = stored?.session === session && typeof stored.due === 'number' ? stored.due - now() : 0
  return wait > 0 && wait <= TTL_MAX_MS ? wait : 0
}

export const storeDue = ({ local }: Pick<CollectorPorts, 'local'>, keys: CollectorKeys, due: Due): void =>
  void local.write(keys.due, JSON.stringify(due))

function parse(text: string | null): Partial<Due> | null {
  try {
    return JSON.parse(text ?? 'null') as Partial<Due> | null
  } catch {
    return null
  }
}
