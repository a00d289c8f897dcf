import { $sealingKeyState, fetchSealingKey } from '../../src/stores/add-camera/sealing-key.ts'
import { $enrollmentCode, requestEnrollmentCode } from '../../src/stores/add-camera/enrollment-code.ts'
import { $cameraDiscovery, requestCameraDiscovery } from '../../src/stores/add-camera/discovered-cameras.ts'
import type { PanelCall } from './store-call.ts'

const readText = (failure: unknown) => (failure as { text?: string } | null)?.text
/** Sealing key of a bridge as the provider forwards it. `key`: base point of P-256, a valid public key. */
const SEALING_KEY = {
  state: 'open',
  bridge_id: 'br1',
  home_id: 'home1',
  name: 'Attic',
  nonce: 'A'.repeat(22),
  key: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
}
const readDiscoveryText = () => {
  const around = $cameraDiscovery.get()
  return around.state === 'done' && around.words
}

export const CAMERA_SETUP_PANELS: readonly PanelCall[] = [
  {
    description: 'the sealing key of a bridge',
    requirement: 'EXT-camera-door',
    ask: fetchSealingKey,
    readFailure: () => readText($sealingKeyState.get()),
  },
  {
    description: 'a request to a bridge',
    requirement: 'EXT-camera-ask',
    before: { 'EXT-camera-door': SEALING_KEY },
    ask: requestCameraDiscovery,
    readFailure: readDiscoveryText,
  },
  {
    description: 'the responses of a bridge',
    requirement: 'EXT-camera-answers',
    before: { 'EXT-camera-door': SEALING_KEY, 'EXT-camera-ask': { ask_id: 'ask1' } },
    ask: requestCameraDiscovery,
    readFailure: readDiscoveryText,
  },
  {
    description: 'an enrollment code for a bridge',
    requirement: 'EXT-bridge-code',
    ask: requestEnrollmentCode,
    readFailure: () => readText($enrollmentCode.get()),
  },
]
