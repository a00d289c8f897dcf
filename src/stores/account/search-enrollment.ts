import { atom } from 'nanostores'
import { onboardingRegister, onboardingStatus } from '../../../contract/search/search-calls.ts'
import type { DataOf } from '../../api/api-client.ts'
import { isSignedOut, request } from '../../api/api-client.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { $videoSearchSwitch } from '../session/session.ts'
import { showToast } from '../shell/toasts.ts'

/** Enrollment in search. 0: not known yet, 1: enrolled, 2: not enrolled (OPEN-45). */
export const $videoSearchLogin = atom<0 | 1 | 2>(0)
/** True if a plan of the account includes search. */
export const $isSearchAvailable = atom(false)
/** Failure of the last load of the enrollment; null during a load and after success. */
export const $enrollmentFailure = atom<Failure | null>(null)

/** The only message for a failed enrollment (SEARCH-10, OPEN-71). */
const ENROLLMENT_FAILED_TEXT = 'Looks like there was a problem while enrolling you. Please try again.'

let loadPromise: Promise<void> | null = null

/** Loads the enrollment once per page. A call after a failure, or with `shouldReload`, loads it again. */
export function loadEnrollment(shouldReload = false): Promise<void> {
  if (shouldReload) loadPromise = null
  loadPromise ??= requestEnrollment()
  return loadPromise
}

async function requestEnrollment(): Promise<void> {
  $enrollmentFailure.set(null)
  const response = await withFailureShown('place', request(onboardingStatus, {}))
  if (response.ok) return applyEnrollment(response.data)
  loadPromise = null
  $enrollmentFailure.set(response)
}

function applyEnrollment({ status, available }: DataOf<typeof onboardingStatus>): void {
  $isSearchAvailable.set(available)
  $videoSearchLogin.set(status)
  $videoSearchSwitch.set(available && status === 1)
}

export async function enrollInSearch(): Promise<Failure | null> {
  const response = await request(onboardingRegister, {})
  if (!response.ok) {
    if (!isSignedOut(response)) showToast('error', ENROLLMENT_FAILED_TEXT)
    return { ...response, text: ENROLLMENT_FAILED_TEXT, inPlace: false }
  }
  applyEnrollment(response.data)
  return null
}
