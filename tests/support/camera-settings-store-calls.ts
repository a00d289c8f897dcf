import { loadCameraAreas, saveCameraAreas } from '../../src/stores/live/camera-areas.ts'
import { loadCameraSettings, saveCameraSettings, previewMotionSettings } from '../../src/stores/live/camera-settings.ts'
import { loadCameraStorage, previewStorageLimits, saveStorageLimits } from '../../src/stores/live/camera-storage.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const CAMERA_SETTINGS = { motion: true, sensitivity: 50, zones: [] }
const STORAGE_LIMITS = { max_bytes: null, max_days: 7 }
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
  {
    description: 'saves the storage limits of a camera',
    requirement: 'EXT-set-storage-limits',
    ask: () => saveStorageLimits('a', STORAGE_LIMITS),
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
    description: 'the storage of a camera',
    requirement: 'EXT-storage',
    ask: () => loadCameraStorage('a'),
    readFailure: readText,
  },
  {
    description: 'a preview of storage limits',
    requirement: 'EXT-set-storage-limits',
    ask: () => previewStorageLimits('a', STORAGE_LIMITS),
    readFailure: readText,
  },
  {
    description: 'a settings test on the last hour',
    requirement: 'EXT-try-motion',
    ask: () => previewMotionSettings('a', CAMERA_SETTINGS),
    readFailure: readText,
  },
]
