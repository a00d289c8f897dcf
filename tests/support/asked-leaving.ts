import {
  $leaving,
  cancelPlan,
  requestTrialExtension,
  loadExtension,
  loadLeaving,
  pauseFor,
  payWhatIsOpen,
  resumePausedPlan,
  undoCancel,
} from '../../src/stores/billing/cancellation.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const SUB = { subscription_id: 's1', revision: 1, billing_provider: 'card' }

export const LEAVING: readonly StoreCall[] = [
  { what: 'cancels a plan', ledger: 'CALL-09', ask: () => cancelPlan(SUB, 'end', null) },
  { what: 'takes a cancellation back', ledger: 'CALL-07', ask: () => undoCancel(SUB) },
  { what: 'pauses a plan', ledger: 'EXT-pause', ask: () => pauseFor(SUB, 1) },
  { what: 'ends a pause', ledger: 'EXT-resume', ask: () => resumePausedPlan(SUB) },
  { what: 'pays what is open', ledger: 'EXT-pay-open', ask: () => payWhatIsOpen(SUB, 'm1') },
  { what: 'adds free days', ledger: 'EXT-extend', ask: () => requestTrialExtension('s1') },
]

const failed = () => {
  const current = $leaving.get()
  return current.state === 'failed' && current.failure.text
}
export const LEAVING_PANELS: readonly PanelCall[] = [
  { what: 'what leaving a plan means', ledger: 'EXT-leaving', ask: () => loadLeaving('s1'), place: failed },
]
export const SILENT_LEAVING: readonly StoreCall[] = [
  { what: 'how far free days can be made longer', ledger: 'CALL-15', ask: loadExtension },
]
