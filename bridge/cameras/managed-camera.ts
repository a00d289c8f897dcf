import type { WatchedCamera } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings, MotionTrial } from '../../contract/cameras/camera-settings.ts'
import type { CameraController } from './camera.ts'

/**
 * Coverage spans of a camera (`spans`), and its recordings that are not in the upload queue yet because they are in
 * progress or being finished (`waiting`).
 */
export type DetectionCoverage = Pick<WatchedCamera, 'spans' | 'waiting'>

export interface ManagedCamera {
  readonly camera: CameraController
  configure(settings: CameraSettings): void
  tryMotion(settings: CameraSettings): Promise<MotionTrial>
  introduce(demo: boolean, hasEvents: boolean, until: number): Promise<void>
  /** Returns the detection coverage up to `now`, ms UTC by the provider's clock. */
  watching(now: number): DetectionCoverage
  /** Ends current recordings and restarts detection. Called after the process was paused or the clock changed. */
  interrupt(): void
  stop(): void
}
