import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'
import { TTL_MAX_MS } from './collector-rules.ts'

/** Time from which the collector may run again for a session, ms UTC. Applies to all tabs of the browser (OPEN-149). */
interface Due {
  readonly session: string
  readonly due: number
}

/**
 * Returns how long the collector must wait for this session, ms; 0 if it may run. Ignores unreadable values, and values
 * beyond the maximum time-to-live: the clock was changed.
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
