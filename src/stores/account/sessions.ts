import { atom } from 'nanostores'
import type { InferOutput } from 'valibot'
import type { signedInSession } from '../../../contract/auth/user-calls.ts'
import { fetchSessions, endSessions } from '../../api/sessions.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'

/** Browser that is signed in to the account; times in unix seconds. */
export type BrowserSession = InferOutput<typeof signedInSession>
/** Sessions of the account. `idle`: idle timeout, s; `life`: absolute lifetime, s. */
interface SessionList {
  readonly sessions: readonly BrowserSession[]
  readonly idle: number
  readonly life: number
}
export type SessionsState =
  { state: 'loading' } | ({ state: 'ready' } & SessionList) | { state: 'failed'; failure: Failure }

export const $sessions = atom<SessionsState>({ state: 'loading' })

/** Reloads the sessions; the current list stays until the response. */
export async function loadSessions(): Promise<void> {
  if ($sessions.get().state === 'failed') $sessions.set({ state: 'loading' })
  const response = await withFailureShown('place', fetchSessions())
  if (response.ok) {
    const { sessions, idle, life } = response.data
    $sessions.set({ state: 'ready', sessions, idle, life })
  } else if ($sessions.get().state !== 'ready') $sessions.set({ state: 'failed', failure: response })
}

/** Ends a session and reloads the list, which also removes sessions that have ended in the meantime. */
export async function endSession({ id, device }: Pick<BrowserSession, 'id' | 'device'>): Promise<Failure | null> {
  const response = await withFailureShown('toast', endSessions({ id }))
  if (!response.ok) return response
  showToast('success', `${device} was logged out.`)
  await loadSessions()
  return null
}

export async function endOtherSessions(): Promise<Failure | null> {
  const response = await withFailureShown('toast', endSessions({ others: true }))
  if (!response.ok) return response
  const { ended } = response.data
  showToast('success', ended === 1 ? 'Your other device was logged out.' : `${ended} other devices were logged out.`)
  await loadSessions()
  return null
}
