import { atom } from 'nanostores'
import { getShares, revokeShare, shareCamera } from '../../../contract/owner.ts'
import { request, type DataOf } from '../../api/client.ts'
import type { RequestFailure } from '../../api/result.ts'
import { failureText } from '../shell/failure-text.ts'

export type Share = DataOf<typeof getShares>['shares'][number]
export type Shares =
  { state: 'loading' } | { state: 'ready'; shares: readonly Share[] } | { state: 'failed'; text: string }

/** The only role there is to give: to watch live and see the events. */
const WATCHES = 2

/** Who else sees the cameras of the account. */
export const $shares = atom<Shares>({ state: 'loading' })

export async function loadShares(): Promise<void> {
  const answer = await request(getShares, {}, { silent: true })
  if (answer.ok) $shares.set({ state: 'ready', shares: answer.data.shares })
  else if ($shares.get().state !== 'ready') $shares.set({ state: 'failed', text: failureText(answer) })
}

/** Lets another account watch. Answers '' or one sentence. */
export async function share(deviceId: string, email: string): Promise<string> {
  const answer = await request(shareCamera, { device_id: deviceId, email, role: WATCHES }, { silent: true })
  if (!answer.ok) return refusal(answer)
  await loadShares()
  return ''
}

/** Takes a share back; the other account's pictures stop at once. Answers '' or one sentence. */
export async function unshare(deviceId: string, email: string): Promise<string> {
  const answer = await request(revokeShare, { device_id: deviceId, email }, { silent: true })
  // Not shared any more: somebody was faster, and it is as it was asked for.
  if (!answer.ok && answer.status !== 404) return failureText(answer)
  await loadShares()
  return ''
}

/** The provider says in words which address it does not take. */
function refusal(answer: RequestFailure): string {
  const isAboutAddress = answer.status === 404 || answer.status === 400
  return isAboutAddress && answer.msg ? answer.msg : failureText(answer)
}
