import { $isBillingOnHold } from '../../stores/billing/subscriptions.ts'

const note = document.querySelector<HTMLElement>('#billing-hold-note')

$isBillingOnHold.subscribe((isOnHold) => {
  if (note) note.hidden = !isOnHold
})
