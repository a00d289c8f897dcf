import type { AccessUnit } from '../media/h264/annex-b.ts'
import type * as scenes from '../../scenes/manifest.ts'
import type { DaySchedule, ProviderClock } from './day-schedule.ts'
import type { SceneLibrary } from './scene-library.ts'
import { LoopVideo, type LensFileSelector } from './loop-video.ts'
import { hasMicrophone, LoopAudio } from './loop-audio.ts'
import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { LensFrames, VideoSource } from '../sources/video-source.ts'

const selectMainLensFiles: LensFileSelector = ({ files }) => files
export const selectInsetLensFiles: LensFileSelector = ({ files, inset }: scenes.Segment) => inset?.files ?? files

/** Video source of a virtual camera or of one of its lenses. Each rendition runs only while it is watched. */
export class LoopSource implements VideoSource {
  /** Videos of all renditions except the lowest, by rendition name. */
  readonly #videosByRendition: ReadonlyMap<string, LoopVideo>
  readonly #lowestRendition: LoopVideo
  readonly #audio: LoopAudio | undefined

  constructor(
    library: SceneLibrary,
    daySchedule: DaySchedule,
    clock: ProviderClock,
    lens: LensFileSelector = selectMainLensFiles,
  ) {
    const [lowestRendition = '', ...others] = daySchedule.input.scene.renditions
    const open = (rendition: string) =>
      new LoopVideo({ library, plan: daySchedule, clock, lens, rendition, kept: rendition === lowestRendition })
    this.#lowestRendition = open(lowestRendition)
    this.#videosByRendition = new Map(others.map((name) => [name, open(name)]))
    this.#audio =
      lens === selectMainLensFiles && hasMicrophone(daySchedule)
        ? new LoopAudio(library, daySchedule, clock)
        : undefined
  }

  /** Also loads the current segment of the lowest rendition, so that the first viewer does not wait for the disk. */
  start(): void {
    this.#audio?.start()
    this.#lowestRendition.start()
    for (const videosByRendition of this.#videosByRendition.values()) videosByRendition.start()
    this.#lowestRendition.prepare()
  }

  stop(): void {
    this.#audio?.stop()
    this.#lowestRendition.stop()
    for (const videosByRendition of this.#videosByRendition.values()) videosByRendition.stop()
  }

  get watchAudio(): VideoSource['watchAudio'] {
    const audio = this.#audio
    return audio && ((onPacket: (packet: AudioPacket) => void) => audio.watch(onPacket))
  }

  getGop(): readonly AccessUnit[] {
    return this.#lowestRendition.getGop()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.#lowestRendition.watch(onUnit)
  }

  getRendition(name: string): LensFrames {
    return this.#videosByRendition.get(name) ?? this
  }
}
