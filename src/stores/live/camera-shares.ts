import { atom } from 'nanostores'
import { getShares, revokeShare, shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { runUserAction, type Failure, ignoreNotFound, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'

export type Share = DataOf<typeof getShares>['shares'][number]
export type Shares =
  { state: 'loading' } | { state: 'ready'; shares: readonly Share[] } | { state: 'failed'; failure: Failure }

/** The only role that can be granted: watch live and see events. */
const WATCHES = 2

export const $shares = atom<Shares>({ state: 'loading' })

export async function loadShares(): Promise<void> {
  const answer = await withFailureShown('place', request(getShares, {}))
  if (answer.ok) $shares.set({ state: 'ready', shares: answer.data.shares })
  else if ($shares.get().state !== 'ready') $shares.set({ state: 'failed', failure: answer })
}

/**
 * Shares a camera with another account. Errors about the email address appear beside the field, in the provider's
 * words.
 */
export async function addCameraShare(deviceId: string, email: string): Promise<Failure | null> {
  const answer = await request(shareCamera, { device_id: deviceId, email, role: WATCHES })
  if (!answer.ok) {
    const isAboutAddress = (answer.status === 404 || answer.status === 400) && answer.msg !== ''
    return isAboutAddress ? { ...answer, text: answer.msg, inPlace: true } : showFailure('toast', answer)
  }
  showToast('success', `Shared with ${email}.`)
  await loadShares()
  return null
}

/** Revokes a share; the other account's video stops immediately. */
export async function removeCameraShare(deviceId: string, email: string): Promise<Failure | null> {
  const failure = await runUserAction(ignoreNotFound(request(revokeShare, { device_id: deviceId, email })))
  if (!failure) await loadShares()
  return failure
}
