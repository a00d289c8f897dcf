import { $isBillingOnHold } from '../../stores/billing/subscriptions.ts'

/** Shows the note about a billing hold while the account is on hold. */
export function showBillingHold(): void {
  const note = document.querySelector<HTMLElement>('#billing-hold-note')
  $isBillingOnHold.subscribe((isOnHold) => {
    if (note) note.hidden = !isOnHold
  })
}
