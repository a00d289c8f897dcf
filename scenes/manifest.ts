export type TimeOfDay = 'day' | 'dusk' | 'night'
export type Tag = 'motion' | 'person' | 'vehicle' | 'pet' | 'package' | 'face' | 'sound'

/**
 * Bounding box of an actor at one time. `t` is in seconds of the segment; the coordinates are fractions of the frame.
 */
export interface TimedBox {
  t: number
  kind: string
  x: number
  y: number
  w: number
  h: number
}
/** Rendered segment. `files`: H.264 Annex-B files by rendition ("360", "720"), with paths relative to this folder. */
export interface Segment {
  frames: number
  files: Record<string, string>
  /** View of the second lens in the same frames. */
  inset?: { files: Record<string, string>; boxes: TimedBox[] }
  /**
   * Opus in Ogg, 20 ms per packet. The quiet segment has the 20 s background loop. An action with sounds of its own has
   * audio as long as its frames; other actions have none.
   */
  sound?: string
}
/** Time span of a detected sound, in seconds of the segment. */
export interface SoundInterval {
  kind: string
  from: number
  to: number
}
/**
 * Caption of the frames from second `at` of the segment. The described content stays visible for at least three
 * seconds.
 */
export interface SceneMoment {
  at: number
  text: string
}
export interface ActionManifest extends Segment {
  id: string
  label: string
  summary: string
  thumb: string
  /** In seconds of the segment: first movement (`from`), last movement (`to`), thumbnail (`best`). */
  from: number
  to: number
  best: number
  tags: Tag[]
  people: string[]
  sounds: string[]
  moments: readonly SceneMoment[]
  /** Detected sounds; undefined if the action has no sounds of its own. */
  heard?: SoundInterval[]
  boxes: TimedBox[]
}
export interface LightManifest {
  poster: string
  quiet: Segment
  actions: ActionManifest[]
}
export interface SceneManifest {
  name: string
  renditions: string[]
  outdoor: boolean
  lights: Record<TimeOfDay, LightManifest>
}
/** Contents of `manifest.json` beside this file. */
export interface Manifest {
  fps: number
  gop: number
  scenes: Record<string, SceneManifest>
}
