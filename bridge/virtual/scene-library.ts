import { join } from 'node:path'
import type { ScheduledFrame as Planned } from '../../scenes/day-plan.ts'
import type * as scenes from '../../scenes/manifest.ts'
import type { ActionManifest, TimeOfDay, Manifest, SceneManifest } from '../../scenes/manifest.ts'
import { OggReader } from '../media/audio/ogg-reader.ts'
import { readFileBytes, readSettingsFile } from '../runtime/durable-files.ts'
import { READ_BYTES_MAX } from '../limits.ts'
import { splitFrames, type EncodedFrame } from '../media/h264/annex-b.ts'

const CHUNK_BYTES = 32_768

export type SceneSegment = readonly EncodedFrame[]

/** Rendered scenes, loaded on demand and shared by all cameras. */
export class SceneLibrary {
  readonly manifest: Manifest
  readonly #folder: string
  readonly #segments = new Map<string, WeakRef<SceneSegment>>()
  readonly #pendingLoads = new Map<string, Promise<SceneSegment>>()

  private constructor(folder: string, manifest: Manifest) {
    this.#folder = folder
    this.manifest = manifest
  }

  /** Opens a folder of rendered scenes. Throws if its `manifest.json` cannot be read or is not JSON. */
  static async open(folder: string): Promise<SceneLibrary> {
    const manifest = JSON.parse(await readSettingsFile(join(folder, 'manifest.json'))) as Manifest
    return new SceneLibrary(folder, manifest)
  }

  getScene(name: string): SceneManifest {
    const scene = this.manifest.scenes[name]
    if (!scene) throw new RangeError(`there is no scene ${name}`)
    return scene
  }

  getAction(sceneName: string, timeOfDay: TimeOfDay, id: string): ActionManifest {
    const action = this.getScene(sceneName).lights[timeOfDay].actions.find((candidate) => candidate.id === id)
    if (!action) throw new RangeError(`scene ${sceneName} has no action ${id} for ${timeOfDay}`)
    return action
  }

  /**
   * Loads the frames of a file. All cameras of a scene share one copy. Memory is freed when no camera uses the copy.
   */
  loadSegment(file: string): Promise<SceneSegment> {
    const cached = this.#segments.get(file)?.deref()
    if (cached) return Promise.resolve(cached)
    const loading = this.#pendingLoads.get(file) ?? this.#load(file).finally(() => this.#pendingLoads.delete(file))
    this.#pendingLoads.set(file, loading)
    return loading
  }

  async #load(file: string): Promise<SceneSegment> {
    const segment = splitFrames(await this.readSceneFile(file))
    this.#segments.set(file, new WeakRef(segment))
    return segment
  }

  /** Loads the audio of a file as Opus packets of 20 ms each. */
  async loadAudio(file: string): Promise<Buffer[]> {
    const bytes = await this.readSceneFile(file)
    const reader = new OggReader()
    const packets: Buffer[] = []
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      packets.push(...reader.push(bytes.subarray(at, at + CHUNK_BYTES)))
    return packets
  }

  readSceneFile(file: string): Promise<Buffer> {
    return readFileBytes(join(this.#folder, file), READ_BYTES_MAX.recording)
  }
}

/** Returns the segment of the planned action; the quiet segment if no action is planned. */
export function selectSegment(library: SceneLibrary, scene: string, { light, action }: Planned): scenes.Segment {
  return action === undefined ? library.getScene(scene).lights[light].quiet : library.getAction(scene, light, action)
}

/** Returns the file of a rendition; the first file if the rendition does not exist. */
export function getRenditionFile(files: Readonly<Record<string, string>>, rendition: string): string {
  const file = files[rendition] ?? Object.values(files)[0]
  if (file === undefined) throw new RangeError('a segment has no file')
  return file
}

/** Returns the file of the best rendition. Rendition names are heights in pixels, so the largest name is the best. */
export function getBestFile(files: Readonly<Record<string, string>>): string {
  return getRenditionFile(
    files,
    Object.keys(files).reduce((best, name) => (Number(name) > Number(best) ? name : best), '0'),
  )
}
