import { atom } from 'nanostores'
import { type ActivityEntry, type ActivityGroup, getActivity } from '../../../contract/account/activity.ts'
import { request } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'

/**
 * Loaded activity entries. `next`: cursor of the older entries, null if there are none. `older`: load state of the
 * older entries.
 */
export type ActivityState =
  | { state: 'loading' }
  | {
      state: 'ready'
      entries: readonly ActivityEntry[]
      next: string | null
      older: 'idle' | 'loading' | Failure
    }
  | { state: 'failed'; failure: Failure }

export const $activity = atom<ActivityState>({ state: 'loading' })
/** Selected group of activities; null for all groups. */
export const $activityGroup = atom<ActivityGroup | null>(null)

const fetchActivity = (group: ActivityGroup | null, before: string | null) =>
  withFailureShown('place', request(getActivity, { ...(group && { group }), ...(before !== null && { before }) }))

let latestRequest = 0

/**
 * Loads the newest entries of the selected group. Discards the response if a newer request was sent in the meantime.
 */
export async function loadActivity(): Promise<void> {
  const requestNumber = ++latestRequest
  $activity.set({ state: 'loading' })
  const response = await fetchActivity($activityGroup.get(), null)
  if (requestNumber !== latestRequest) return
  $activity.set(
    response.ok ? { state: 'ready', ...response.data, older: 'idle' } : { state: 'failed', failure: response },
  )
}

export function selectActivityGroup(group: ActivityGroup | null): Promise<void> {
  $activityGroup.set(group)
  return loadActivity()
}

export async function loadOlderActivity(): Promise<void> {
  const current = $activity.get()
  if (current.state !== 'ready' || current.next === null || current.older === 'loading') return
  const loadingState: ActivityState = { ...current, older: 'loading' }
  $activity.set(loadingState)
  const response = await fetchActivity($activityGroup.get(), current.next)
  if ($activity.get() !== loadingState) return
  const { entries, next } = response.ok ? response.data : { entries: [], next: current.next }
  $activity.set({ ...current, entries: [...current.entries, ...entries], next, older: response.ok ? 'idle' : response })
}
