import type { WatchedCamera } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings, MotionTrial } from '../../contract/cameras/camera-settings.ts'
import type { CameraController } from './camera.ts'

/** Detection coverage of a camera, and its recordings that are not in the queue yet: in progress or being finished. */
export type DetectionCoverage = Pick<WatchedCamera, 'spans' | 'waiting'>

export interface ManagedCamera {
  readonly camera: CameraController
  configure(settings: CameraSettings): void
  tryMotion(settings: CameraSettings): Promise<MotionTrial>
  introduce(demo: boolean, hasEvents: boolean, until: number): Promise<void>
  /** `now`: ms UTC by the provider's clock. */
  watching(now: number): DetectionCoverage
  /** After a pause of the process or a clock change: ends current recordings and restarts detection. */
  interrupt(): void
  stop(): void
}
