import { atom } from 'nanostores'
import { createBridgeCode } from '../../../contract/cameras/owner-calls.ts'
import { request } from '../../api/api-client.ts'
import { formatFailure } from '../shell/failure-text.ts'

/** Code that enrolls a bridge in the home. `until`: time at which the code expires, ms UTC by this computer's clock. */
export type EnrollmentCodeState =
  | { state: 'none' | 'asking' }
  | { state: 'made'; code: string; madeAt: number; until: number }
  | { state: 'failed'; text: string }

export const $enrollmentCode = atom<EnrollmentCodeState>({ state: 'none' })

/**
 * Lifetime of a code, ms; equal to the constant in contract/bridge/bridge-protocol.ts. The page counts from the arrival
 * of the response, so that a wrong local clock does not matter.
 */
export const ENROLLMENT_CODE_LIFETIME_MS = 600_000

export async function requestEnrollmentCode(): Promise<void> {
  $enrollmentCode.set({ state: 'asking' })
  const response = await request(createBridgeCode, {})
  const madeAt = Date.now()
  $enrollmentCode.set(
    response.ok
      ? { state: 'made', code: response.data.code, madeAt, until: madeAt + ENROLLMENT_CODE_LIFETIME_MS }
      : { state: 'failed', text: formatFailure(response) },
  )
}
