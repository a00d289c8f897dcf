import { loadHomeTimeZone, replaceHomeTimeZone } from '../../src/stores/account/home-time-zone.ts'
import { loadAccountDeletion } from '../../src/stores/account/account-deletion.ts'
import { $notifications, loadNotifications, markAllSeen } from '../../src/stores/account/notifications.ts'
import {
  $exportProgress,
  $exportSize,
  loadExportSize,
  exportNextArchive,
} from '../../src/stores/account/data-export.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const CREATED_ARCHIVE = { take_id: 'a'.repeat(40), bytes: 9, clips: 1, next: null, share: 0.5, secret: '0'.repeat(64) }
const NOTIFICATION = { kind: 'bill', at: 1, seen: false, title: 'Bill', text: 'Paid.', action: null } as const

function exportArchive(archive: typeof CREATED_ARCHIVE | null): Promise<void> {
  $exportProgress.set(archive && { after: '', part: 1, made: archive })
  return exportNextArchive()
}

const readFailureText = (current: { state: string; failure?: unknown }) =>
  current.state === 'failed' && (current.failure as { text: string }).text

export const ACCOUNT_ACTIONS: readonly StoreCall[] = [
  { description: 'changes the time zone of the home', requirement: 'EXT-time-zone', ask: replaceHomeTimeZone },
  { description: 'exports all data', requirement: 'EXT-take', ask: () => exportArchive(null) },
  {
    description: 'downloads the next archive of an export',
    requirement: 'EXT-take-address',
    ask: () => exportArchive(CREATED_ARCHIVE),
  },
]
export const ACCOUNT_PANELS: readonly PanelCall[] = [
  {
    description: 'the notifications',
    requirement: 'EXT-messages',
    ask: loadNotifications,
    readFailure: () => readFailureText($notifications.get()),
  },
  {
    description: 'the size of a data export',
    requirement: 'EXT-take-size',
    ask: loadExportSize,
    readFailure: () => readFailureText($exportSize.get()),
  },
]
let seenCount = 0
export const SILENT_ACCOUNT_CALLS: readonly StoreCall[] = [
  { description: 'the time zone of the home', requirement: 'EXT-time-zone', ask: loadHomeTimeZone },
  { description: 'the date of the account deletion', requirement: 'EXT-account-leave', ask: loadAccountDeletion },
  {
    description: 'the mark for seen notifications',
    requirement: 'EXT-see-messages',
    ask: () => markAllSeen([{ ...NOTIFICATION, message_id: `m${(seenCount += 1)}` }]),
  },
]
