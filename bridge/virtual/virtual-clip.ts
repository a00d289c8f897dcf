import type { Moment } from '../../contract/bridge/bridge-protocol.ts'
import { TAG_ID_BY_SCENE_WORD } from '../../contract/events/event-tags.ts'
import type { Event } from '../../contract/events/events.ts'
import type { DetectionTrack } from '../../contract/events/detections.ts'
import type { ActionManifest, TimeOfDay } from '../../scenes/manifest.ts'
import { PACKET_MS } from '../media/audio/audio-clock.ts'
import { muxMp4 } from '../media/mp4/muxer.ts'
import { SILENT_PACKET } from '../media/mp4/audio-track.ts'
import { buildDetectionTracks } from './detections.ts'
import type { ScheduledAction } from './day-schedule.ts'
import { getBestFile, type SceneLibrary } from './scene-library.ts'
import { getPacket } from './loop-audio.ts'

const PRE_ROLL_S = 3
const POST_ROLL_S = 2

/** Returns the range of frames in a clip. `first` is a keyframe; `end` is the frame after the last one. */
function getClipFrames(library: SceneLibrary, action: ActionManifest): { first: number; end: number } {
  const { fps, gop } = library.manifest
  return {
    first: Math.floor((Math.max(0, action.from - PRE_ROLL_S) * fps) / gop) * gop,
    end: Math.min(action.frames, Math.ceil((action.to + POST_ROLL_S) * fps)),
  }
}

/** Builds the MP4 of an action. The bytes are deterministic. */
export async function buildClip(
  library: SceneLibrary,
  scene: string,
  timeOfDay: TimeOfDay,
  id: string,
): Promise<Buffer> {
  const action = library.getAction(scene, timeOfDay, id)
  const { first, end } = getClipFrames(library, action)
  const { fps } = library.manifest
  const file = action.sound ?? library.getScene(scene).lights[timeOfDay].quiet.sound
  const [segment, audioPackets] = await Promise.all([
    library.loadSegment(getBestFile(action.files)),
    file === undefined ? [] : loadClipAudio(library, file, (first * 1000) / fps, (end * 1000) / fps),
  ])
  return muxMp4(segment.slice(first, end), fps, audioPackets)
}

/** Returns the audio packets for a part of a segment. `from` and `until`: ms after the start of the segment. */
async function loadClipAudio(library: SceneLibrary, file: string, from: number, until: number): Promise<Buffer[]> {
  const packets = await library.loadAudio(file)
  const count = Math.floor((until - from) / PACKET_MS)
  return Array.from({ length: count }, (_, i) => getPacket(packets, from + i * PACKET_MS) ?? SILENT_PACKET)
}

/** Returns the end of an action's last movement, ms UTC. */
export function getActionEnd(library: SceneLibrary, scheduledAction: ScheduledAction): number {
  return Math.round(
    scheduledAction.at +
      library.getAction(scheduledAction.scene, scheduledAction.light, scheduledAction.action).to * 1000,
  )
}

/** Words for the time of day in each description, so that a search for "night" finds the event. */
const TIME_OF_DAY_PHRASES = { day: 'in daylight', dusk: 'at dusk', night: 'at night' } as const

/** Converts a second of the segment to a second of a clip that starts at `clipStartS`. */
const toClipSecond = (at: number, clipStartS: number) => Math.max(0, Math.round((at - clipStartS) * 100) / 100)

function buildMoments(library: SceneLibrary, timeOfDay: TimeOfDay, action: ActionManifest): Moment[] {
  const clipStartS = getClipFrames(library, action).first / library.manifest.fps
  const moment = (at: number, sentence: string): Moment => ({
    at_s: toClipSecond(at, clipStartS),
    text: `${sentence.replace(/\.$/, '')}, ${TIME_OF_DAY_PHRASES[timeOfDay]}.`,
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
  scheduledAction: ScheduledAction,
): Event & { moments: Moment[]; found: DetectionTrack[]; thumb_at_s: number } {
  const action = library.getAction(scheduledAction.scene, scheduledAction.light, scheduledAction.action)
  const { first, end } = getClipFrames(library, action)
  const frameMs = 1000 / library.manifest.fps
  const event_ts = Math.round(scheduledAction.at + action.from * 1000)
  const sceneWords = [...action.tags, ...action.sounds, ...(action.sounds.length > 0 ? ['sound'] : [])]
  return {
    event_id: `${scheduledAction.device_id}-${event_ts.toString(36)}`,
    device_id: scheduledAction.device_id,
    event_ts,
    tags: [...new Set(sceneWords.flatMap((word) => TAG_ID_BY_SCENE_WORD[word] ?? []))],
    event_values: [...new Set([...action.tags, ...action.people, ...action.sounds])],
    title: action.label,
    event_resources: [
      {
        begin_time: Math.round(scheduledAction.at + first * frameMs),
        end_time: Math.round(scheduledAction.at + end * frameMs),
        resource_version: 1,
        resource_type: 's3',
      },
    ],
    reviewed: false,
    moments: buildMoments(library, scheduledAction.light, action),
    thumb_at_s: toClipSecond(action.best, first / library.manifest.fps),
    found: buildDetectionTracks(action.boxes, first / library.manifest.fps, end / library.manifest.fps),
  }
}
