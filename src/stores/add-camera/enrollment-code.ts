import { atom } from 'nanostores'
import { makeBridgeCode } from '../../../contract/cameras/owner-calls.ts'
import { request } from '../../api/api-client.ts'
import { failureText } from '../shell/failure-text.ts'

/** Code that enrolls a bridge in the home. `until` in ms UTC by this computer's clock. */
export type EnrollmentCodeState =
  | { state: 'none' | 'asking' }
  | { state: 'made'; code: string; madeAt: number; until: number }
  | { state: 'failed'; text: string }

export const $enrolCode = atom<EnrollmentCodeState>({ state: 'none' })

/**
 * Lifetime of a code, ms, equal to the provider's `BRIDGE_CODE_MS`. The page counts from the response, so a wrong local
 * clock does not matter.
 */
export const CODE_MS = 600_000

export async function requestEnrollmentCode(): Promise<void> {
  $enrolCode.set({ state: 'asking' })
  const answer = await request(makeBridgeCode, {})
  const madeAt = Date.now()
  $enrolCode.set(
    answer.ok
      ? { state: 'made', code: answer.data.code, madeAt, until: madeAt + CODE_MS }
      : { state: 'failed', text: failureText(answer) },
  )
}
