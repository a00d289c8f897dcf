import type { WatchedCamera } from '../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings, MotionTrial } from '../../contract/cameras/camera-settings.ts'
import type { Camera } from './camera.ts'

/** What a camera has watched, and what of it is not in the queue yet: being recorded or finished. */
export type DetectionCoverage = Pick<WatchedCamera, 'spans' | 'waiting'>

/** A camera of the bridge with what looks for motion and records: a virtual one, or one that is reached by RTSP. */
export interface ManagedCamera {
  readonly camera: Camera
  configure(settings: CameraSettings): void
  tryMotion(settings: CameraSettings): Promise<MotionTrial>
  introduce(demo: boolean, hasEvents: boolean, until: number): Promise<void>
  /** `now` by the provider's clock, ms UTC. */
  watching(now: number): DetectionCoverage
  /** Nothing ran for a while, or the clock was set anew: what is being recorded ends, what comes is looked at afresh. */
  interrupt(): void
  stop(): void
}
