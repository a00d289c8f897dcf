import type { CameraCoverage } from '../../contract/bridge/detection-coverage.ts'
import type { CameraSettings, MotionPreview } from '../../contract/cameras/camera-settings.ts'
import type { CameraController } from './camera.ts'

/**
 * `spans`: time spans in which motion detection ran or the owner had switched it off. `waiting`: intervals of
 * recordings that are in progress or being finished, without the recordings in the upload queue.
 */
export type DetectionCoverage = Pick<CameraCoverage, 'spans' | 'waiting'>

export interface ManagedCamera {
  readonly camera: CameraController
  applySettings(settings: CameraSettings): void
  previewMotion(settings: CameraSettings): Promise<MotionPreview>
  startUploads(isDemo: boolean, hasEvents: boolean, until: number): Promise<void>
  /** Returns the detection coverage up to `now`, ms UTC by the provider's clock. */
  getDetectionCoverage(now: number): DetectionCoverage
  /** Ends current recordings and restarts motion detection, after the process was paused or the clock changed. */
  interrupt(): void
  stop(): void
}
