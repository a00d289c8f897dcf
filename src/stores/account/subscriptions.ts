import { atom } from 'nanostores'
import { getSubscriptions, type Subscription } from '../../../contract/plans.ts'
import { request } from '../../api/client.ts'
import type { RequestFailure } from '../../api/result.ts'
import { keptFlag } from '../storage/persistent.ts'
import { $userId } from '../session/session.ts'
import { KEYS } from '../storage/storage.ts'

export type Subscriptions =
  | { state: 'loading' }
  | { state: 'ready'; subscriptions: readonly Subscription[] }
  | { state: 'failed'; failure: RequestFailure }

export const $subscriptions = atom<Subscriptions>({ state: 'loading' })
/** True only after an answer without a running service; the last answer is kept over visits (OPEN-36, OPEN-147). */
export const $isNoServices = keptFlag(KEYS.noServices)

/** The free plan is none, whatever stands in the list. */
const isService = ({ sku, running }: Subscription) => running && sku !== 'free'

let loading: Promise<void> | null = null

/** Asks once per page for the user's subscriptions; after a failure the next call asks again. */
export function loadSubscriptions(): Promise<void> {
  loading ??= load()
  return loading
}

async function load(): Promise<void> {
  const answer = await request(getSubscriptions, {}, { params: { uuid: $userId.get() } })
  if (!answer.ok) {
    loading = null
    $subscriptions.set({ state: 'failed', failure: answer })
    return
  }
  const { subscriptions } = answer.data
  $isNoServices.set(!subscriptions.some(isService))
  $subscriptions.set({ state: 'ready', subscriptions })
}
