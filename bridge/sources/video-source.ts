import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'

export interface LensFrames {
  /** Frames from the newest keyframe to the newest frame, for a new viewer; empty while there are none. */
  getGop(): readonly AccessUnit[]
  /** Calls `onUnit` for each new frame in real time. Returns a function that unsubscribes. */
  watch(onUnit: (unit: AccessUnit) => void): () => void
}

/** Media of a camera for viewers and recorders. Its own `getGop` and `watch` deliver the lowest rendition. */
export interface VideoSource extends LensFrames {
  /**
   * Returns the frames of a rendition; for an unknown name, of the lowest one. Each name always gives the same object.
   */
  getRendition(name: string): LensFrames
  /** Subscribes to audio; undefined while no audio is available. */
  readonly watchAudio?: ((onPacket: (packet: AudioPacket) => void) => () => void) | undefined
  /** Second lens of a dual-lens camera. */
  readonly inset?: LensFrames
  /** Sets for all viewers whether the two lenses of a dual-lens camera are swapped. Idempotent. */
  swap?(isSwapped: boolean): void
  start(): void
  stop(): void
}
