import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'

/** Frames of one lens. */
export interface LensFrames {
  /** Frames from the newest keyframe to the newest frame, for a new viewer; empty while there are none. */
  group(): readonly AccessUnit[]
  /** Passes each new frame on in real time. Returns a function that unsubscribes. */
  watch(onUnit: (unit: AccessUnit) => void): () => void
}

/** A camera as viewers and recorders see it; its own frames are those of its lowest rendition. */
export interface Source extends LensFrames {
  /**
   * Returns the frames of a rendition, always the same object for a name; an unknown name gives the camera's own
   * frames. An unwatched rendition costs nothing.
   */
  rendition(name: string): LensFrames
  /** Subscribes to audio; undefined if the camera has none. */
  readonly watchAudio?: ((onPacket: (packet: AudioPacket) => void) => () => void) | undefined
  /** Second lens of a dual-lens camera. */
  readonly inset?: LensFrames
  /** Swaps the two lenses of a dual-lens camera for all viewers. Idempotent. */
  swap?(swapped: boolean): void
  start(): void
  stop(): void
}
