import type { AccessUnit } from '../media/h264/annex-b.ts'
import type * as scenes from '../../scenes/manifest.ts'
import type { CameraPlan, ProviderClock } from './day-schedule.ts'
import type { SceneLibrary } from './scene-library.ts'
import { LoopPictures, type Lens } from './loop-video.ts'
import { isHeard, LoopSound } from './loop-audio.ts'
import type { AudioPacket } from '../media/audio/audio-clock.ts'
import type { LensFrames, Source } from '../sources/video-source.ts'

const MAIN: Lens = ({ files }) => files
export const INSET: Lens = ({ files, inset }: scenes.Segment) => inset?.files ?? files

/** A virtual camera, or one of its lenses: each rendition runs only while watched. */
export class LoopSource implements Source {
  /** Frames by rendition name, lowest first. */
  private readonly pictures: ReadonlyMap<string, LoopPictures>
  private readonly lowest: LoopPictures
  private readonly sound: LoopSound | undefined

  constructor(library: SceneLibrary, plan: CameraPlan, clock: ProviderClock, lens: Lens = MAIN) {
    const [lowest = '', ...others] = plan.input.scene.renditions
    const open = (rendition: string) =>
      new LoopPictures({ library, plan, clock, lens, rendition, kept: rendition === lowest })
    this.lowest = open(lowest)
    this.pictures = new Map(others.map((name) => [name, open(name)]))
    this.sound = lens === MAIN && isHeard(plan) ? new LoopSound(library, plan, clock) : undefined
  }

  /** Loads the current segment, so that the first viewer does not wait for the disk. */
  start(): void {
    this.sound?.start()
    this.lowest.start()
    for (const pictures of this.pictures.values()) pictures.start()
    this.lowest.prepare()
  }

  stop(): void {
    this.sound?.stop()
    this.lowest.stop()
    for (const pictures of this.pictures.values()) pictures.stop()
  }

  get watchAudio(): Source['watchAudio'] {
    const { sound } = this
    return sound && ((onPacket: (packet: AudioPacket) => void) => sound.watch(onPacket))
  }

  group(): readonly AccessUnit[] {
    return this.lowest.group()
  }

  watch(onUnit: (unit: AccessUnit) => void): () => void {
    return this.lowest.watch(onUnit)
  }

  rendition(name: string): LensFrames {
    return this.pictures.get(name) ?? this
  }
}
