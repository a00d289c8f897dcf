import type { CollectorKeys, CollectorPorts } from './collector-ports.ts'
import { TTL_MAX_MS } from './collector-rules.ts'

/** From when on the collector may run again for a session, ms UTC. It counts for all tabs of the browser (OPEN-149). */
interface Due {
  readonly session: string
  readonly due: number
}

/**
 * How long the collector has still to wait for this session, ms; 0 where it may run. What cannot be read is no due time, nor
 * what lies further ahead than any time-to-live: a clock was changed.
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
