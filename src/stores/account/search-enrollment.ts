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
export const $searchAvailable = atom(false)
/** Failure of the last attempt to load the enrollment; null while it loads and after success. */
export const $onboardingTrouble = atom<Failure | null>(null)

/** Only message for a failed enrollment (SEARCH-10, OPEN-71). */
const NOT_ENROLLED = 'Looks like there was a problem while enrolling you. Please try again.'

let asking: Promise<void> | null = null

/** Loads the enrollment once per page. A call after a failure, or with `again`, loads it again. */
export function loadOnboarding(again = false): Promise<void> {
  if (again) asking = null
  asking ??= load()
  return asking
}

async function load(): Promise<void> {
  $onboardingTrouble.set(null)
  const answer = await withFailureShown('place', request(onboardingStatus, {}))
  if (answer.ok) return settle(answer.data)
  asking = null
  $onboardingTrouble.set(answer)
}

function settle({ status, available }: DataOf<typeof onboardingStatus>): void {
  $searchAvailable.set(available)
  $videoSearchLogin.set(status)
  $videoSearchSwitch.set(available && status === 1)
}

export async function enrollInSearch(): Promise<Failure | null> {
  const answer = await request(onboardingRegister, {})
  if (!answer.ok) {
    if (!isSignedOut(answer)) showToast('error', NOT_ENROLLED)
    return { ...answer, text: NOT_ENROLLED, inPlace: false }
  }
  settle(answer.data)
  return null
}
