import { $door, fetchSealingKey } from '../../src/stores/add-camera/sealing-key.ts'
import { $enrolCode, requestEnrollmentCode } from '../../src/stores/add-camera/enrollment-code.ts'
import { $around, requestCameraDiscovery } from '../../src/stores/add-camera/discovered-cameras.ts'
import type { PanelCall } from './store-call.ts'

const text = (failure: unknown) => (failure as { text?: string } | null)?.text
/** Sealing key of a bridge as the provider forwards it; the key is the base point of P-256. */
const DOOR = {
  ...{ state: 'open', bridge_id: 'br1', home_id: 'home1', name: 'Attic', nonce: 'A'.repeat(22) },
  key: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
}
const readDiscoveryText = () => {
  const around = $around.get()
  return around.state === 'done' && around.words
}

export const ADDING_PANELS: readonly PanelCall[] = [
  { what: 'the door of a bridge', ledger: 'EXT-camera-door', ask: fetchSealingKey, place: () => text($door.get()) },
  {
    what: 'what is asked of a bridge',
    ledger: 'EXT-camera-ask',
    before: { 'EXT-camera-door': DOOR },
    ask: requestCameraDiscovery,
    place: readDiscoveryText,
  },
  {
    what: 'what a bridge answers',
    ledger: 'EXT-camera-answers',
    before: { 'EXT-camera-door': DOOR, 'EXT-camera-ask': { ask_id: 'ask1' } },
    ask: requestCameraDiscovery,
    place: readDiscoveryText,
  },
  {
    what: 'a code for a bridge',
    ledger: 'EXT-bridge-code',
    ask: requestEnrollmentCode,
    place: () => text($enrolCode.get()),
  },
]
