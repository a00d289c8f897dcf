import { atom } from 'nanostores'
import type { CancelReason } from '../../../contract/billing/cancellation.ts'
import { keptJson, keptText } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS, TAB_NOTES } from '../storage/billing-keys.ts'
import { tab } from '../storage/storage-keys.ts'

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Where leaving a plan stands (CANCEL-02): any number; the page shows 1 to 4 (`stepOf`). */
export const $cancelStep = keptJson<number>(MONEY_KEYS.cancelStep, 1, isNumber)
/** The subscription that the step belongs to (OPEN-161); '' while none is being left. */
export const $cancelStepOf = keptText(MONEY_KEYS.cancelStepOf, '')

/** The plan whose dialog is open in this tab, and why it is left as it was noted, '' for no reason; null: none is. */
export const $leavingPlan = atom<{ id: string; reason: string } | null>(null)

/** Replaces the step and saves it (CANCEL-03). */
export const setCancelStep = (step: number): void => $cancelStep.set(step)

function saveLeavingPlan(id: string, reason: string): void {
  tab.write(TAB_NOTES.leaving, `${id} ${reason}`)
  $leavingPlan.set({ id, reason })
}

/** Opens the dialog of a subscription, at its step where that is kept; another one starts at 1. */
export function openLeaving(id: string): void {
  if ($cancelStepOf.get() !== id) {
    $cancelStepOf.set(id)
    setCancelStep(1)
  }
  saveLeavingPlan(id, '')
}

/** Opens the dialog again that this tab had open before it was loaded anew. */
export function restoreLeaving(): void {
  const [id = '', reason = ''] = (tab.read(TAB_NOTES.leaving) ?? '').split(' ')
  if (id === '' || $cancelStepOf.get() !== id) return
  $leavingPlan.set({ id, reason })
}

/** Why it is left; null: nothing is said. */
export function giveReason(reason: CancelReason | null): void {
  const now = $leavingPlan.get()
  if (now) saveLeavingPlan(now.id, reason ?? '')
}

/** The flow is over: the next one starts at 1. */
export function closeLeaving(): void {
  tab.remove(TAB_NOTES.leaving)
  $leavingPlan.set(null)
  $cancelStepOf.set('')
  setCancelStep(1)
}
