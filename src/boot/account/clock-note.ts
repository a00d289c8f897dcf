import { clockWords } from '../../domain/service-words.ts'
import { $allSubs } from '../../stores/account/subscriptions.ts'

/** Where the clock of plans and bills stands ahead (`npm run clock`), every page of the account says so. */
const note = document.querySelector<HTMLElement>('#clock-note')

addEventListener('porchlight:session', () =>
  $allSubs.subscribe((subs) => {
    const ahead = Math.max(0, ...(subs ?? []).map(({ clock }) => clock ?? 0))
    if (!note) return
    note.textContent = clockWords(ahead, Date.now())
    note.hidden = ahead <= 0
  }),
)
