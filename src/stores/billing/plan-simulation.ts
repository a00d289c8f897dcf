import { atom } from 'nanostores'
import { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import { request, type DataOf } from '../../api/api-client.ts'
import { withFailureShown, type Failure } from '../shell/report-failure.ts'

export type PlanSimulation = DataOf<typeof simulatePlans>
export type PlanSimulationState =
  { state: 'loading' } | ({ state: 'ready' } & PlanSimulation) | { state: 'failed'; failure: Failure }

/** Simulated effect of each plan on the clips and searches of the last 30 days. A new home has data for fewer days. */
export const $planSimulation = atom<PlanSimulationState>({ state: 'loading' })

export async function loadPlanSimulation(): Promise<void> {
  if ($planSimulation.get().state === 'failed') $planSimulation.set({ state: 'loading' })
  const response = await withFailureShown('place', request(simulatePlans, {}))
  $planSimulation.set(response.ok ? { state: 'ready', ...response.data } : { state: 'failed', failure: response })
}
