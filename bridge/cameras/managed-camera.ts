import type { CameraCoverage } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings, MotionPreview } from '../../contract/cameras/camera-settings.ts'
import type { CameraController } from './camera.ts'

/**
 * Time spans with motion detection (`spans`), and intervals of recordings that are in progress or being finished
 * (`waiting`). Recordings in the upload queue are not included.
 */
export type DetectionCoverage = Pick<CameraCoverage, 'spans' | 'waiting'>

export interface ManagedCamera {
  readonly camera: CameraController
  applySettings(settings: CameraSettings): void
  previewMotion(settings: CameraSettings): Promise<MotionPreview>
  startUploads(demo: boolean, hasEvents: boolean, until: number): Promise<void>
  /** Returns the detection coverage up to `now`, ms UTC by the provider's clock. */
  getDetectionCoverage(now: number): DetectionCoverage
  /** Ends current recordings and restarts motion detection, after the process was paused or the clock changed. */
  interrupt(): void
  stop(): void
}
