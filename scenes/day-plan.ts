import type { TimeOfDay, SceneManifest } from './manifest.ts'
import { GRID_STEP_MS, findVisitPart, listVisits } from './visits.ts'

export { GRID_STEP_MS }

/** One scheduled action of a camera; `at` in ms UTC. */
export interface ScheduleEntry {
  at: number
  action: string
  light: TimeOfDay
  frames: number
  /** True if other cameras record the same visit. */
  visit?: true
}
export interface ScheduleInput {
  cameraId: string
  scene: SceneManifest
  fps: number
  utcOffsetMinutes: number
  /**
   * Start time of the virtual camera, ms UTC. If given, the first ten minutes after this time get extra entries. With
   * `slot`, so do all evenings.
   */
  startedAt?: number
  /**
   * Index of the camera in the home, and number of cameras. In the first ten minutes and in the evening the cameras take
   * turns, so that at least one of them shows activity.
   */
  slot?: { index: number; count: number }
  /** True to keep the schedule empty. */
  isQuiet?: boolean
}
export interface ScheduledFrame {
  kind: 'quiet' | 'action'
  action?: string
  light: TimeOfDay
  frame: number
  segmentStart: number
}

const MINUTE_MS = 60_000,
  HOUR_MS = 3_600_000,
  DAY_MS = 86_400_000,
  FIRST_PERIOD_MS = 10 * MINUTE_MS,
  FIRST_ACTIONS_INTERVAL_MS = 100_000
/**
 * In the first ten minutes, the turn with this index is a visit that several cameras record. Every other turn is an
 * action of one camera.
 */
const VISIT_ACTION_INDEX = 1
/** Hours of the evening, local time. In every turn one camera shows an extra action. */
const EVENING = { from: 18, to: 23 },
  EVENING_TURN_MS = 5 * MINUTE_MS,
  /** The action starts within two minutes of the turn's start, so that a turn never ends in another time of day. */
  EVENING_DELAY_STEPS = (2 * MINUTE_MS) / GRID_STEP_MS,
  /**
   * Minimum number of cameras that share the turns, ten for each. With the other actions of a day (24, and 6 in the first
   * ten minutes) a camera has at most 40. A home with fewer cameras leaves some turns empty.
   */
  EVENING_CAMERAS_MIN = 6

/** Relative frequency of actions in each local hour, from 00:00. */
const HOUR_WEIGHTS = [1, 1, 1, 1, 1, 1, 2, 8, 11, 10, 8, 8, 9, 8, 8, 9, 11, 11, 9, 4, 3, 3, 2, 1]

/** Returns `day` from 07:30 to 18:30 local time, `dusk` in the hour before and after that, and `night` otherwise. */
export function getTimeOfDay(ms: number, utcOffsetMinutes: number): TimeOfDay {
  const h = mod(ms + utcOffsetMinutes * MINUTE_MS, DAY_MS) / HOUR_MS
  if (h >= 7.5 && h < 18.5) return 'day'
  return h >= 6.5 && h < 19.5 ? 'dusk' : 'night'
}

const mod = (a: number, b: number): number => ((a % b) + b) % b

function createRandom(seed: string): () => number {
  let s = 2166136261
  for (let i = 0; i < seed.length; i++) s = Math.imul(s ^ seed.charCodeAt(i), 16777619)
  return () => {
    s = (s + 0x6d2b79f5) | 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Returns a function that picks a random action for a time of day; undefined if there is none. The function repeats an
 * action only after it has picked all actions of that time of day.
 */
function createActionPicker(
  input: ScheduleInput,
  random: () => number,
): (timeOfDay: TimeOfDay) => { id: string; frames: number } | undefined {
  const remainingActions: Record<TimeOfDay, { id: string; frames: number }[]> = { day: [], dusk: [], night: [] }
  return (light) => {
    const all = input.scene.lights[light].actions
    if (remainingActions[light].length === 0)
      remainingActions[light] = all
        .map((a) => ({ a, k: random() }))
        .sort((x, y) => x.k - y.k)
        .map(({ a }) => ({ id: a.id, frames: a.frames }))
    return remainingActions[light].pop()
  }
}

const getDurationMs = (e: ScheduleEntry, fps: number): number => (e.frames * 1000) / fps

function pickHour(x: number): number {
  let left = x * HOUR_WEIGHTS.reduce((a, b) => a + b, 0)
  return Math.max(
    0,
    HOUR_WEIGHTS.findIndex((w) => (left -= w) < 0),
  )
}

function listVisitEntries(input: ScheduleInput, at: number, timeOfDay: TimeOfDay, action: string): ScheduleEntry[] {
  const found = input.scene.lights[timeOfDay].actions.find(({ id }) => id === action)
  return found ? [{ at, action, light: timeOfDay, frames: found.frames, visit: true }] : []
}

/** Schedules the actions of one local day, sorted by time. `day`: days since 1970 in local time. */
function scheduleDay(input: ScheduleInput, day: number): ScheduleEntry[] {
  const random = createRandom(`${input.cameraId}:${day}`),
    pickAction = createActionPicker(input, random),
    count = 14 + Math.floor(random() * 11)
  const midnight = day * DAY_MS - input.utcOffsetMinutes * MINUTE_MS,
    entries = listVisits(input.scene.name, midnight, createRandom(`visits:${day}`)).flatMap(({ at, light, action }) =>
      listVisitEntries(input, at, light, action),
    )
  for (let tries = 0; entries.length < count && tries < 600; tries++) {
    const at = Math.ceil((midnight + pickHour(random()) * HOUR_MS + random() * HOUR_MS) / GRID_STEP_MS) * GRID_STEP_MS,
      light = getTimeOfDay(at, input.utcOffsetMinutes)
    const longest = Math.max(0, ...input.scene.lights[light].actions.map((a) => (a.frames * 1000) / input.fps)),
      end = at + longest
    if (longest === 0 || end > midnight + DAY_MS || getTimeOfDay(end - 1, input.utcOffsetMinutes) !== light) continue
    if (entries.some((e) => at < e.at + getDurationMs(e, input.fps) + 3 * MINUTE_MS && e.at < end + 3 * MINUTE_MS))
      continue
    const a = pickAction(light)
    if (a) entries.push({ at, action: a.id, light, frames: a.frames })
  }
  return entries.sort((a, b) => a.at - b.at)
}

function scheduleFirstMinutes(input: ScheduleInput): ScheduleEntry[] {
  if (input.startedAt === undefined) return []
  const { index, count } = input.slot ?? { index: 0, count: 1 },
    first = Math.ceil((input.startedAt + GRID_STEP_MS) / GRID_STEP_MS) * GRID_STEP_MS
  const pickAction = createActionPicker(input, createRandom(`${input.cameraId}:${input.startedAt}`)),
    entries: ScheduleEntry[] = []
  for (let j = 0, at = first; at < input.startedAt + FIRST_PERIOD_MS; j++, at += FIRST_ACTIONS_INTERVAL_MS) {
    const light = getTimeOfDay(at, input.utcOffsetMinutes),
      part = j === VISIT_ACTION_INDEX ? findVisitPart(input.scene.name, light, 0) : undefined
    if (part) entries.push(...listVisitEntries(input, at + part.after * GRID_STEP_MS, light, part.action))
    if (part || j % count !== index % count) continue
    const a = pickAction(light)
    if (a) entries.push({ at, action: a.id, light, frames: a.frames })
  }
  return entries
}

/** Schedules the camera's turns of one evening. `day`: days since 1970 in local time. */
function scheduleEvening(input: ScheduleInput, day: number): ScheduleEntry[] {
  const { slot, startedAt } = input
  if (startedAt === undefined || !slot) return []
  const pickAction = createActionPicker(input, createRandom(`${input.cameraId}:evening:${day}`)),
    delay = createRandom(`evening:${day}`),
    midnight = day * DAY_MS - input.utcOffsetMinutes * MINUTE_MS,
    end = midnight + EVENING.to * HOUR_MS,
    cameraCount = Math.max(slot.count, EVENING_CAMERAS_MIN),
    entries: ScheduleEntry[] = []
  for (let turn = 0, from = midnight + EVENING.from * HOUR_MS; from < end; turn++, from += EVENING_TURN_MS) {
    const at = Math.ceil(from / GRID_STEP_MS + Math.floor(delay() * EVENING_DELAY_STEPS)) * GRID_STEP_MS
    if (turn % cameraCount !== slot.index || at < startedAt) continue
    const light = getTimeOfDay(at, input.utcOffsetMinutes),
      action = pickAction(light)
    if (action) entries.push({ at, action: action.id, light, frames: action.frames })
  }
  return entries
}

/**
 * Returns all entries whose segment overlaps [from, to) (ms UTC), sorted by time. Extra entries of the first ten
 * minutes replace the other entries that they overlap. A daily entry replaces the evening entries that it overlaps.
 */
export function listActionsBetween(input: ScheduleInput, from: number, to: number): ScheduleEntry[] {
  if (input.isQuiet) return []
  const utcOffsetMs = input.utcOffsetMinutes * MINUTE_MS,
    extraEntries = scheduleFirstMinutes(input),
    entries: ScheduleEntry[] = []
  const overlaps = (e: ScheduleEntry, a: number, b: number): boolean =>
      e.at < b && e.at + getDurationMs(e, input.fps) > a,
    overlapsAny = (e: ScheduleEntry, others: ScheduleEntry[]): boolean =>
      others.some((x) => overlaps(e, x.at, x.at + getDurationMs(x, input.fps)))
  for (let d = Math.floor((from + utcOffsetMs) / DAY_MS); d <= Math.floor((to - 1 + utcOffsetMs) / DAY_MS); d++) {
    const daily = scheduleDay(input, d).filter((e) => !overlapsAny(e, extraEntries))
    entries.push(...daily, ...scheduleEvening(input, d).filter((e) => !overlapsAny(e, [...extraEntries, ...daily])))
  }
  return [...entries, ...extraEntries].filter((e) => overlaps(e, from, to)).sort((a, b) => a.at - b.at)
}

/**
 * Returns the frame that the camera shows at `ms` (UTC). The quiet segment repeats at fixed times, so that the moving
 * leaves never jump.
 */
export function getFrameAt(input: ScheduleInput, ms: number): ScheduledFrame {
  const e = listActionsBetween(input, ms, ms + 1)[0],
    frame = (start: number): number => Math.floor(((ms - start) * input.fps) / 1000 + 1e-6)
  if (e) return { kind: 'action', action: e.action, light: e.light, frame: frame(e.at), segmentStart: e.at }
  const light = getTimeOfDay(Math.floor(ms / GRID_STEP_MS) * GRID_STEP_MS, input.utcOffsetMinutes),
    loopMs = (input.scene.lights[light].quiet.frames * 1000) / input.fps
  const start = Math.floor(ms / loopMs) * loopMs
  return { kind: 'quiet', light, frame: frame(start), segmentStart: start }
}
