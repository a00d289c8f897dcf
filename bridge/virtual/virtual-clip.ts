import type { Moment } from '../../contract/bridge/bridge-protocol.ts'
import { TAG_OF_WORD } from '../../contract/events/event-tags.ts'
import type { Event } from '../../contract/events/events.ts'
import type { DetectionTrack } from '../../contract/events/detections.ts'
import type { ActionManifest, Light } from '../../scenes/manifest.ts'
import { PACKET_MS } from '../media/audio/audio-clock.ts'
import { muxMp4 } from '../media/mp4/muxer.ts'
import { SILENCE } from '../media/mp4/audio-track.ts'
import { buildDetectionTracks } from './detections.ts'
import type { Happening } from './day-schedule.ts'
import { bestFile, type SceneLibrary } from './scene-library.ts'
import { packetAt } from './loop-audio.ts'

/** Pre-roll and post-roll of a clip, seconds. */
const BEFORE_S = 3
const AFTER_S = 2

/** Returns the range of frames in a clip. `first` is a keyframe; `end` is the frame after the last one. */
function clipFrames(library: SceneLibrary, action: ActionManifest): { first: number; end: number } {
  const { fps, gop } = library.manifest
  return {
    first: Math.floor((Math.max(0, action.from - BEFORE_S) * fps) / gop) * gop,
    end: Math.min(action.frames, Math.ceil((action.to + AFTER_S) * fps)),
  }
}

/** Returns the MP4 of an action; its bytes are deterministic. */
export async function makeClip(library: SceneLibrary, scene: string, light: Light, id: string): Promise<Buffer> {
  const action = library.action(scene, light, id)
  const { first, end } = clipFrames(library, action)
  const { fps } = library.manifest
  const file = action.sound ?? library.scene(scene).lights[light].quiet.sound
  const [segment, sound] = await Promise.all([
    library.segment(bestFile(action.files)),
    file === undefined ? [] : clipSound(library, file, (first * 1000) / fps, (end * 1000) / fps),
  ])
  return muxMp4(segment.slice(first, end), fps, sound)
}

/**
 * Returns the audio that the camera plays during a part of a segment. `from`, `until`: ms after the start of the
 * segment.
 */
async function clipSound(library: SceneLibrary, file: string, from: number, until: number): Promise<Buffer[]> {
  const packets = await library.sound(file)
  const count = Math.floor((until - from) / PACKET_MS)
  return Array.from({ length: count }, (_, i) => packetAt(packets, from + i * PACKET_MS) ?? SILENCE)
}

/** Returns the end of the last movement, ms UTC. */
export function actionEndsAt(library: SceneLibrary, happening: Happening): number {
  return Math.round(happening.at + library.action(happening.scene, happening.light, happening.action).to * 1000)
}

/** Words in the moments that describe the time of day, so that a search for "night" finds the event. */
const LIGHT_WORDS = { day: 'in daylight', dusk: 'at dusk', night: 'at night' } as const

function buildMoments(library: SceneLibrary, light: Light, action: ActionManifest): Moment[] {
  const begins = clipFrames(library, action).first / library.manifest.fps
  const moment = (at: number, sentence: string): Moment => ({
    at_s: Math.max(0, Math.round((at - begins) * 100) / 100),
    text: `${sentence.replace(/\.$/, '')}, ${LIGHT_WORDS[light]}.`,
  })
  const soundStarts = new Map((action.heard ?? []).toReversed().map((sound) => [sound.kind, sound.from]))
  return [
    ...action.moments.map(({ at, text }) => moment(at, text)),
    moment(action.best, action.summary),
    ...[...soundStarts].map(([kind, from]) => moment(from, `${kind} is heard`)),
  ]
}

export function buildVirtualEvent(
  library: SceneLibrary,
  happening: Happening,
): Event & { moments: Moment[]; found: DetectionTrack[] } {
  const action = library.action(happening.scene, happening.light, happening.action)
  const { first, end } = clipFrames(library, action)
  const frameMs = 1000 / library.manifest.fps
  const event_ts = Math.round(happening.at + action.from * 1000)
  const words = [...action.tags, ...action.sounds, ...(action.sounds.length > 0 ? ['sound'] : [])]
  return {
    event_id: `${happening.device_id}-${event_ts.toString(36)}`,
    device_id: happening.device_id,
    event_ts,
    tags: [...new Set(words.flatMap((word) => TAG_OF_WORD[word] ?? []))],
    event_values: [...new Set([...action.tags, ...action.people, ...action.sounds])],
    title: action.label,
    event_resources: [
      {
        begin_time: Math.round(happening.at + first * frameMs),
        end_time: Math.round(happening.at + end * frameMs),
        resource_version: 1,
        resource_type: 's3',
      },
    ],
    reviewed: false,
    moments: buildMoments(library, happening.light, action),
    found: buildDetectionTracks(action.boxes, first / library.manifest.fps, end / library.manifest.fps),
  }
}
