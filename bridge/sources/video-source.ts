import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { AccessUnit } from '../media/h264/annex-b.ts'

/** Pictures of one lens. */
export interface Pictures {
  /** From the newest keyframe to the newest picture; empty while there is none. What a new viewer gets at once. */
  group(): readonly AccessUnit[]
  /** Hands over every further picture in real time until the answer is called. */
  watch(onUnit: (unit: AccessUnit) => void): () => void
}

/** A camera as those see it who watch or record it; its own pictures are those of its lowest rendition. */
export interface Source extends Pictures {
  /**
   * Its pictures in the rendition of this name, always the same object for the same name; the camera's own pictures, which
   * are those of its lowest rendition, for a name that it does not know. What nobody watches costs nothing.
   */
  rendition(name: string): Pictures
  /** Sound, handed over like the pictures; left out where the camera has none. */
  readonly watchAudio?: ((onPacket: (packet: AudioPacket) => void) => () => void) | undefined
  /** The second picture of a dual camera. */
  readonly inset?: Pictures
  /** Whether the two pictures of a dual camera have changed places, for all who watch. Saying it twice changes nothing. */
  swap?(swapped: boolean): void
  start(): void
  stop(): void
}
