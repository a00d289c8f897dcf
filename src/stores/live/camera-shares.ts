import { atom } from 'nanostores'
import { getShares, revokeShare, shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { runUserAction, type Failure, ignoreNotFound, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'

export type Share = DataOf<typeof getShares>['shares'][number]
export type Shares =
  { state: 'loading' } | { state: 'ready'; shares: readonly Share[] } | { state: 'failed'; failure: Failure }

/** The only role there is to give: to watch live and see the events. */
const WATCHES = 2

/** Who else sees the cameras of the account. */
export const $shares = atom<Shares>({ state: 'loading' })

export async function loadShares(): Promise<void> {
  const answer = await withFailureShown('place', request(getShares, {}))
  if (answer.ok) $shares.set({ state: 'ready', shares: answer.data.shares })
  else if ($shares.get().state !== 'ready') $shares.set({ state: 'failed', failure: answer })
}

/** Lets another account watch. What is wrong with the address is said beside it, in the provider's words. */
export async function share(deviceId: string, email: string): Promise<Failure | null> {
  const answer = await request(shareCamera, { device_id: deviceId, email, role: WATCHES })
  if (!answer.ok) {
    const isAboutAddress = (answer.status === 404 || answer.status === 400) && answer.msg !== ''
    return isAboutAddress ? { ...answer, text: answer.msg, inPlace: true } : showFailure('toast', answer)
  }
  showToast('success', `Shared with ${email}.`)
  await loadShares()
  return null
}

/** Takes a share back; the other account's pictures stop at once. */
export async function unshare(deviceId: string, email: string): Promise<Failure | null> {
  const failure = await runUserAction(ignoreNotFound(request(revokeShare, { device_id: deviceId, email })))
  if (!failure) await loadShares()
  return failure
}
