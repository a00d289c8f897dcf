import type { DataOf } from '../../api/client.ts'
import type { Result } from '../../api/result.ts'
import type { getHomeDevices, getHomes } from '../../../contract/devices.ts'
import type { eventHistory } from '../../../contract/events.ts'
import type { getStreams } from '../../../contract/live.ts'

/** Answers that the page asks for before its island has loaded, each taken once by the store that needs it. */
export interface Preloads {
  homes: Result<DataOf<typeof getHomes>>
  devices: Result<DataOf<typeof getHomeDevices>>
  /** Streams of all listed devices. Their tickets live for 60 s. */
  streams: Result<DataOf<typeof getStreams>>
  /** Events of today (local midnight to now's end of day), all cameras, no filter, newest first. */
  events: Result<DataOf<typeof eventHistory>>
}

const held: { [Name in keyof Preloads]?: Promise<Preloads[Name]> } = {}

export function putPreload<Name extends keyof Preloads>(name: Name, answer: Promise<Preloads[Name]>): void {
  held[name] = answer as (typeof held)[Name]
}

/** The promise of an answer that is already on its way, or null; a second taker gets null and asks for itself. */
export function takePreload<Name extends keyof Preloads>(name: Name): Promise<Preloads[Name]> | null {
  const answer = held[name] as Promise<Preloads[Name]> | undefined
  delete held[name]
  return answer ?? null
}

/** Whether an early answer is what the page goes by: one that did not come in its time is not waited for a second time. */
export function isFinal<T>(early: Result<T> | null): early is Result<T> {
  return early !== null && (early.ok || early.kind === 'ECONNABORTED')
}
