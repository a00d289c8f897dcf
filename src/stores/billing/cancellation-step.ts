import { atom } from 'nanostores'
import type { CancelReason } from '../../../contract/billing/cancellation.ts'
import { keptJson, keptText } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS, TAB_NOTES } from '../storage/billing-keys.ts'
import { tab } from '../storage/storage-keys.ts'

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Stored step of the cancellation (CANCEL-02). It can be any number; the page limits it to 1 to 4 (`clampStep`). */
export const $cancelStep = keptJson<number>(MONEY_KEYS.cancelStep, 1, isNumber)
/** Id of the subscription that `$cancelStep` belongs to (OPEN-161); '' if no cancellation is in progress. */
export const $cancelStepOf = keptText(MONEY_KEYS.cancelStepOf, '')

/** Plan whose cancellation dialog is open in this tab, with its stored reason ('' for none); null if closed. */
export const $leavingPlan = atom<{ id: string; reason: string } | null>(null)

/** Stores the step (CANCEL-03). */
export const setCancelStep = (step: number): void => $cancelStep.set(step)

function saveLeavingPlan(id: string, reason: string): void {
  tab.write(TAB_NOTES.leaving, `${id} ${reason}`)
  $leavingPlan.set({ id, reason })
}

/**
 * Opens the cancellation dialog of a subscription at the stored step; at step 1 if that step belongs to another
 * subscription.
 */
export function openLeaving(id: string): void {
  if ($cancelStepOf.get() !== id) {
    $cancelStepOf.set(id)
    setCancelStep(1)
  }
  saveLeavingPlan(id, '')
}

/** Reopens the dialog that was open in this tab before a reload. */
export function restoreLeaving(): void {
  const [id = '', reason = ''] = (tab.read(TAB_NOTES.leaving) ?? '').split(' ')
  if (id === '' || $cancelStepOf.get() !== id) return
  $leavingPlan.set({ id, reason })
}

/** Stores the reason for the cancellation; null if the user gave none. */
export function giveReason(reason: CancelReason | null): void {
  const now = $leavingPlan.get()
  if (now) saveLeavingPlan(now.id, reason ?? '')
}

/** Closes the cancellation dialog and resets the step, so that the next cancellation starts at step 1. */
export function closeLeaving(): void {
  tab.remove(TAB_NOTES.leaving)
  $leavingPlan.set(null)
  $cancelStepOf.set('')
  setCancelStep(1)
}
