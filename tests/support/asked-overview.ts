import { loadAccountLeave } from '../../src/stores/account/account-deletion.ts'
import { $messages, loadMessages, markSeen } from '../../src/stores/account/notifications.ts'
import { $taken, $takeSize, loadTake, exportNextArchive } from '../../src/stores/account/data-export.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const MADE = { take_id: 'a'.repeat(40), bytes: 9, clips: 1, next: null, share: 0.5, secret: '0'.repeat(64) }
const MESSAGE = { kind: 'bill', at: 1, seen: false, title: 'Bill', text: 'Paid.', action: null } as const

function exportArchive(made: typeof MADE | null): Promise<void> {
  $taken.set(made && { after: '', part: 1, made })
  return exportNextArchive()
}

const failed = (current: { state: string; failure?: unknown }) =>
  current.state === 'failed' && (current.failure as { text: string }).text

export const OVERVIEW: readonly StoreCall[] = [
  { what: 'takes everything', ledger: 'EXT-take', ask: () => exportArchive(null) },
  { what: 'goes on taking everything', ledger: 'EXT-take-address', ask: () => exportArchive(MADE) },
]
export const OVERVIEW_PANELS: readonly PanelCall[] = [
  { what: 'the messages', ledger: 'EXT-messages', ask: loadMessages, place: () => failed($messages.get()) },
  { what: 'what there is to take', ledger: 'EXT-take-size', ask: loadTake, place: () => failed($takeSize.get()) },
]
let seenCount = 0
export const SILENT_OVERVIEW: readonly StoreCall[] = [
  { what: 'when the account goes', ledger: 'EXT-account-leave', ask: loadAccountLeave },
  {
    what: 'which messages were read',
    ledger: 'EXT-see-messages',
    ask: () => markSeen([{ ...MESSAGE, message_id: `m${(seenCount += 1)}` }]),
  },
]
