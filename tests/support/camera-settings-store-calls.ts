import { loadCameraAreas, saveCameraAreas } from '../../src/stores/live/camera-areas.ts'
import { loadCameraSettings, saveCameraSettings, previewMotionSettings } from '../../src/stores/live/camera-settings.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const CAMERA_SETTINGS = { motion: true, sensitivity: 50, zones: [] }
const readText = (failure: unknown) => (failure as { text?: string } | null)?.text

export const CAMERA_SETTINGS_ACTIONS: readonly StoreCall[] = [
  {
    description: 'saves camera settings',
    requirement: 'EXT-set-camera-settings',
    ask: () => saveCameraSettings('a', CAMERA_SETTINGS),
  },
  {
    description: 'saves the areas that a camera covers',
    requirement: 'EXT-set-camera-places',
    ask: () => saveCameraAreas('a', ['back']),
  },
]

export const CAMERA_SETTINGS_PANELS: readonly PanelCall[] = [
  {
    description: 'the settings of a camera',
    requirement: 'EXT-camera-settings',
    ask: () => loadCameraSettings('a'),
    readFailure: readText,
  },
  {
    description: 'the areas that a camera covers',
    requirement: 'EXT-camera-places',
    ask: () => loadCameraAreas('a'),
    readFailure: readText,
  },
  {
    description: 'a settings test on the last hour',
    requirement: 'EXT-try-motion',
    ask: () => previewMotionSettings('a', CAMERA_SETTINGS),
    readFailure: readText,
  },
]
