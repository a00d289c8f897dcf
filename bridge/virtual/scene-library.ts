import { join } from 'node:path'
import type { Picture as Planned } from '../../scenes/day-plan.ts'
import type * as scenes from '../../scenes/manifest.ts'
import type { ActionManifest, Light, Manifest, SceneManifest } from '../../scenes/manifest.ts'
import { OggReader } from '../media/audio/ogg-reader.ts'
import { readFileBytes, readSettingsFile } from '../runtime/durable-files.ts'
import { READ_MAX } from '../limits.ts'
import { splitPictures, type Picture } from '../media/h264/annex-b.ts'

const CHUNK = 32_768

/** Frames of a rendered loop. */
export type SceneSegment = readonly Picture[]

/** Rendered scenes, loaded on demand and shared by all cameras. */
export class SceneLibrary {
  readonly manifest: Manifest
  private readonly folder: string
  private readonly segments = new Map<string, WeakRef<SceneSegment>>()
  private readonly loading = new Map<string, Promise<SceneSegment>>()

  private constructor(folder: string, manifest: Manifest) {
    this.folder = folder
    this.manifest = manifest
  }

  /** Opens a folder of rendered scenes. Throws if the folder contains no manifest. */
  static async open(folder: string): Promise<SceneLibrary> {
    const manifest = JSON.parse(await readSettingsFile(join(folder, 'manifest.json'))) as Manifest
    return new SceneLibrary(folder, manifest)
  }

  scene(name: string): SceneManifest {
    const scene = this.manifest.scenes[name]
    if (!scene) throw new RangeError(`there is no scene ${name}`)
    return scene
  }

  action(scene: string, light: Light, id: string): ActionManifest {
    const action = this.scene(scene).lights[light].actions.find((candidate) => candidate.id === id)
    if (!action) throw new RangeError(`scene ${scene} has no action ${id} by ${light}`)
    return action
  }

  /**
   * Loads the frames of a file. All cameras of one scene share one copy, which stays in memory while any of them holds
   * it.
   */
  segment(file: string): Promise<SceneSegment> {
    const cached = this.segments.get(file)?.deref()
    if (cached) return Promise.resolve(cached)
    const loading = this.loading.get(file) ?? this.load(file).finally(() => this.loading.delete(file))
    this.loading.set(file, loading)
    return loading
  }

  private async load(file: string): Promise<SceneSegment> {
    const segment = splitPictures(await this.read(file))
    this.segments.set(file, new WeakRef(segment))
    return segment
  }

  /** Returns Opus packets of 20 ms each. */
  async sound(file: string): Promise<Buffer[]> {
    const bytes = await this.read(file)
    const reader = new OggReader()
    const packets: Buffer[] = []
    for (let at = 0; at < bytes.length; at += CHUNK) packets.push(...reader.push(bytes.subarray(at, at + CHUNK)))
    return packets
  }

  read(file: string): Promise<Buffer> {
    return readFileBytes(join(this.folder, file), READ_MAX.recording)
  }
}

/** Returns the segment of the planned action, or the quiet segment. */
export function selectSegment(library: SceneLibrary, scene: string, { light, action }: Planned): scenes.Segment {
  return action === undefined ? library.scene(scene).lights[light].quiet : library.action(scene, light, action)
}

/** Returns the file of a rendition, or the first file if it does not exist. */
export function renditionFile(files: Readonly<Record<string, string>>, rendition: string): string {
  const file = files[rendition] ?? Object.values(files)[0]
  if (file === undefined) throw new RangeError('a segment without a file')
  return file
}

/** Returns the file of the best rendition, which has the largest name: names are heights in lines. */
export function bestFile(files: Readonly<Record<string, string>>): string {
  return renditionFile(
    files,
    Object.keys(files).reduce((best, name) => (Number(name) > Number(best) ? name : best), '0'),
  )
}
