import {
  $cancellationPreview,
  cancelPlan,
  requestTrialExtension,
  loadTrialExtension,
  loadCancellationPreview,
  pausePlanForMonths,
  payOpenAmount,
  resumePausedPlan,
  undoCancellation,
} from '../../src/stores/billing/cancellation.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const SUBSCRIPTION = { subscription_id: 's1', revision: 1, billing_provider: 'card' }

export const CANCELLATION_ACTIONS: readonly StoreCall[] = [
  { description: 'cancels a plan', requirement: 'CALL-09', ask: () => cancelPlan(SUBSCRIPTION, 'end', null) },
  { description: 'undoes a cancellation', requirement: 'CALL-07', ask: () => undoCancellation(SUBSCRIPTION) },
  { description: 'pauses a plan', requirement: 'EXT-pause', ask: () => pausePlanForMonths(SUBSCRIPTION, 1) },
  { description: 'ends a pause', requirement: 'EXT-resume', ask: () => resumePausedPlan(SUBSCRIPTION) },
  { description: 'pays an open invoice', requirement: 'EXT-pay-open', ask: () => payOpenAmount(SUBSCRIPTION, 'm1') },
  { description: 'extends a trial', requirement: 'EXT-extend', ask: () => requestTrialExtension('s1') },
]

const readFailureText = () => {
  const current = $cancellationPreview.get()
  return current.state === 'failed' && current.failure.text
}
export const CANCELLATION_PANELS: readonly PanelCall[] = [
  {
    description: 'the preview of a cancellation',
    requirement: 'EXT-leaving',
    ask: () => loadCancellationPreview('s1'),
    readFailure: readFailureText,
  },
]
export const SILENT_CANCELLATION_CALLS: readonly StoreCall[] = [
  { description: 'the possible trial extension', requirement: 'CALL-15', ask: loadTrialExtension },
]
