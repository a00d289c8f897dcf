export type Light = 'day' | 'dusk' | 'night'
export type Tag = 'motion' | 'person' | 'vehicle' | 'pet' | 'package' | 'face' | 'sound'

/** Where an actor is at a moment: seconds in the segment, fractions of the frame. */
export interface Box {
  t: number
  kind: string
  x: number
  y: number
  w: number
  h: number
}
/** H.264 Annex-B files by rendition ("360", "720"), paths relative to this folder. */
export interface Segment {
  frames: number
  files: Record<string, string>
  /** What the second lens of a dual camera sees at the same frames. */
  inset?: { files: Record<string, string>; boxes: Box[] }
  /** Opus in Ogg, 20 ms a packet; of an action as long as its pictures, otherwise 20 s that repeat. */
  sound?: string
}
/** What is heard, seconds in the segment. */
export interface SoundInterval {
  kind: string
  from: number
  to: number
}
/** What is seen from a second of the segment on, looked at in the pictures; gone again within three seconds at the earliest. */
export interface SeenMoment {
  at: number
  text: string
}
export interface ActionManifest extends Segment {
  id: string
  label: string
  summary: string
  thumb: string
  /** Seconds in the segment: first and last visible movement, best moment. */
  from: number
  to: number
  best: number
  tags: Tag[]
  people: string[]
  sounds: string[]
  moments: readonly SeenMoment[]
  /** Left out where the place has no sound. */
  heard?: SoundInterval[]
  boxes: Box[]
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
  lights: Record<Light, LightManifest>
}
/** What `manifest.json` beside this file holds. */
export interface Manifest {
  fps: number
  gop: number
  scenes: Record<string, SceneManifest>
}
