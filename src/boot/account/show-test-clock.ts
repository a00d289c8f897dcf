import { testClockText } from '../../domain/copy/test-clock.ts'
import { $allSubs } from '../../stores/billing/subscriptions.ts'

/** Shows the time of the test clock while the clock of a plan is ahead. */
export function showTestClock(): void {
  const clockNote = document.querySelector<HTMLElement>('#clock-note')
  // Subscriptions that an older version cached have no `clock` field.
  $allSubs.subscribe((subs) => {
    const aheadMs = Math.max(
      0,
      ...(subs ?? []).map((subscription: { readonly clock?: number }) => subscription.clock ?? 0),
    )
    if (!clockNote) return
    clockNote.textContent = testClockText(aheadMs, Date.now())
    clockNote.hidden = aheadMs <= 0
  })
}
