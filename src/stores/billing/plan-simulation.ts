import { atom } from 'nanostores'
import { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'

export type Truth = DataOf<typeof simulatePlans>
export type PlanTruth = { state: 'loading' } | ({ state: 'ready' } & Truth) | { state: 'failed'; failure: Failure }

/** Simulated effect of each plan on the events and searches of the home's last days. */
export const $truth = atom<PlanTruth>({ state: 'loading' })

export async function loadTruth(): Promise<void> {
  if ($truth.get().state === 'failed') $truth.set({ state: 'loading' })
  const answer = await withFailureShown('place', request(simulatePlans, {}))
  $truth.set(answer.ok ? { state: 'ready', ...answer.data } : { state: 'failed', failure: answer })
}
