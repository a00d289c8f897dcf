import { CollectorCalls } from './calls.ts'
import type { CollectorKeys, CollectorPorts } from './ports.ts'
import type { Ready } from './rules.ts'

/** The session that was told last in this tab, and from when on the collector may run for it again, ms UTC. */
export interface Told {
  readonly session: string
  readonly due: number
}

type Tab = Pick<CollectorPorts, 'tab'>

/** What is kept of the last session; null where there is none. */
export function toldOf({ tab }: Tab, { session: key }: CollectorKeys): Told | null {
  try {
    const told = JSON.parse(tab.read(key) ?? 'null') as Partial<Told> | null
    return typeof told?.session === 'string' && typeof told.due === 'number' ? (told as Told) : null
  } catch {
    return null
  }
}

export const keepTold = ({ tab }: Tab, { session: key }: CollectorKeys, told: Told): void => {
  tab.write(key, JSON.stringify(told))
}

/**
 * Tells the host of a session that is not the one it was told of last, and of which that is. `note` hears what goes wrong;
 * nothing waits for it.
 */
export async function tellSession(
  ready: Ready,
  ports: Pick<CollectorPorts, 'tab' | 'fetch' | 'randomId'>,
  keys: CollectorKeys,
  note: (problem: string) => void,
): Promise<void> {
  const told = toldOf(ports, keys)
  if (told?.session === ready.sessionID) return
  keepTold(ports, keys, { session: ready.sessionID, due: 0 })
  const calls = new CollectorCalls(ready, ports.randomId(), ports.fetch)
  const status = await calls.tellSession(told?.session ?? '').catch(() => 0)
  if (status === 200 || status === 201) return
  note(`Unknown response to the session: ${status}.`)
  // The next page tells of it again.
  if (told) keepTold(ports, keys, told)
  else ports.tab.remove(keys.session)
}
