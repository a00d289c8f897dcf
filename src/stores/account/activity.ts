import { atom } from 'nanostores'
import { type ActivityEntry, type ActivityGroup, getActivity } from '../../../contract/account/activity.ts'
import { request } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'

/**
 * Loaded activity entries. `next`: cursor of the older entries, null if there are none. `older`: state of loading older
 * entries.
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

let turn = 0

/**
 * Loads the newest entries of the selected group. Discards the response if a newer request was sent in the meantime.
 */
export async function loadActivity(): Promise<void> {
  const mine = ++turn
  $activity.set({ state: 'loading' })
  const answer = await fetchActivity($activityGroup.get(), null)
  if (mine !== turn) return
  $activity.set(answer.ok ? { state: 'ready', ...answer.data, older: 'idle' } : { state: 'failed', failure: answer })
}

export function showGroup(group: ActivityGroup | null): Promise<void> {
  $activityGroup.set(group)
  return loadActivity()
}

export async function showOlder(): Promise<void> {
  const now = $activity.get()
  if (now.state !== 'ready' || now.next === null || now.older === 'loading') return
  const waiting: ActivityState = { ...now, older: 'loading' }
  $activity.set(waiting)
  const answer = await fetchActivity($activityGroup.get(), now.next)
  if ($activity.get() !== waiting) return
  const { entries, next } = answer.ok ? answer.data : { entries: [], next: now.next }
  $activity.set({ ...now, entries: [...now.entries, ...entries], next, older: answer.ok ? 'idle' : answer })
}
