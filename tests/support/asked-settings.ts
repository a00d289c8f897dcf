import { loadCameraAreas, savePlaces } from '../../src/stores/live/camera-areas.ts'
import { loadSettings, saveSettings, tryOnLastHour } from '../../src/stores/live/camera-settings.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const SETTINGS = { motion: true, sensitivity: 50, zones: [] }
const text = (failure: unknown) => (failure as { text?: string } | null)?.text

export const SETTINGS_ACTIONS: readonly StoreCall[] = [
  { what: 'saves settings', ledger: 'EXT-set-camera-settings', ask: () => saveSettings('a', SETTINGS) },
  { what: 'says where a camera looks', ledger: 'EXT-set-camera-places', ask: () => savePlaces('a', ['back']) },
]

export const SETTINGS_PANELS: readonly PanelCall[] = [
  { what: 'the settings of a camera', ledger: 'EXT-camera-settings', ask: () => loadSettings('a'), place: text },
  { what: 'where a camera looks', ledger: 'EXT-camera-places', ask: () => loadCameraAreas('a'), place: text },
  { what: 'a trial of settings', ledger: 'EXT-try-motion', ask: () => tryOnLastHour('a', SETTINGS), place: text },
]
