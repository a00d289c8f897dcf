import { atom } from 'nanostores'
import type { CancelReason } from '../../../contract/billing/cancellation.ts'
import { persistentJson, persistentText } from '../storage/persistent-atoms.ts'
import { BILLING_KEYS, TAB_HANDOVER_KEYS } from '../storage/billing-keys.ts'
import { safeSessionStorage } from '../storage/storage-keys.ts'

const isNumber = (value: unknown): value is number => typeof value === 'number'

/**
 * Stored step of the cancellation (CANCEL-02). Storage may hold any number, so `clampStep` limits the step to 1 to 4.
 */
export const $cancelStep = persistentJson<number>(BILLING_KEYS.cancelStep, 1, isNumber)
/** Id of the subscription that `$cancelStep` belongs to (OPEN-161); '' if no cancellation is in progress. */
export const $cancelStepSubscription = persistentText(BILLING_KEYS.cancelStepOf, '')

/**
 * Plan whose cancellation dialog is open in this tab, with the stored reason ('' for none). Null if the dialog is
 * closed.
 */
export const $planBeingCanceled = atom<{ id: string; reason: string } | null>(null)

/** Stores the step of the cancellation (CANCEL-03). Does not check the range, because `clampStep` does. */
export const setCancelStep = (step: number): void => $cancelStep.set(step)

function savePlanBeingCanceled(id: string, reason: string): void {
  safeSessionStorage.write(TAB_HANDOVER_KEYS.leaving, `${id} ${reason}`)
  $planBeingCanceled.set({ id, reason })
}

/**
 * Opens the cancellation dialog of a subscription at its stored step. Opens step 1 if the stored step belongs to
 * another subscription.
 */
export function openCancellation(id: string): void {
  if ($cancelStepSubscription.get() !== id) {
    $cancelStepSubscription.set(id)
    setCancelStep(1)
  }
  savePlanBeingCanceled(id, '')
}

/** Reopens the dialog that was open in this tab before a reload. */
export function restoreCancellation(): void {
  const [id = '', reason = ''] = (safeSessionStorage.read(TAB_HANDOVER_KEYS.leaving) ?? '').split(' ')
  if (id === '' || $cancelStepSubscription.get() !== id) return
  $planBeingCanceled.set({ id, reason })
}

/** Stores the reason for the cancellation; null if the user gave none. */
export function storeCancelReason(reason: CancelReason | null): void {
  const current = $planBeingCanceled.get()
  if (current) savePlanBeingCanceled(current.id, reason ?? '')
}

/** Closes the cancellation dialog and resets the step, so that the next cancellation starts at step 1. */
export function closeCancellation(): void {
  safeSessionStorage.remove(TAB_HANDOVER_KEYS.leaving)
  $planBeingCanceled.set(null)
  $cancelStepSubscription.set('')
  setCancelStep(1)
}
