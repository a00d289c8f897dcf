import { testClockText } from '../../domain/copy/test-clock.ts'
import { $allSubs } from '../../stores/billing/subscriptions.ts'

const note = document.querySelector<HTMLElement>('#clock-note')

// Subscriptions cached by an older version have no `clock` field.
$allSubs.subscribe((subs) => {
  const ahead = Math.max(0, ...(subs ?? []).map((subscription: { readonly clock?: number }) => subscription.clock ?? 0))
  if (!note) return
  note.textContent = testClockText(ahead, Date.now())
  note.hidden = ahead <= 0
})
