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
  { what: 'cancels a plan', requirement: 'CALL-09', ask: () => cancelPlan(SUBSCRIPTION, 'end', null) },
  { what: 'undoes a cancellation', requirement: 'CALL-07', ask: () => undoCancellation(SUBSCRIPTION) },
  { what: 'pauses a plan', requirement: 'EXT-pause', ask: () => pausePlanForMonths(SUBSCRIPTION, 1) },
  { what: 'ends a pause', requirement: 'EXT-resume', ask: () => resumePausedPlan(SUBSCRIPTION) },
  { what: 'pays an open invoice', requirement: 'EXT-pay-open', ask: () => payOpenAmount(SUBSCRIPTION, 'm1') },
  { what: 'extends a trial', requirement: 'EXT-extend', ask: () => requestTrialExtension('s1') },
]

const readFailureText = () => {
  const current = $cancellationPreview.get()
  return current.state === 'failed' && current.failure.text
}
export const CANCELLATION_PANELS: readonly PanelCall[] = [
  {
    what: 'the preview of a cancellation',
    requirement: 'EXT-leaving',
    ask: () => loadCancellationPreview('s1'),
    readFailure: readFailureText,
  },
]
export const SILENT_CANCELLATION_CALLS: readonly StoreCall[] = [
  { what: 'the possible trial extension', requirement: 'CALL-15', ask: loadTrialExtension },
]
