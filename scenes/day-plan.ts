import type { Light, SceneManifest } from './manifest.ts'
import { GRID, findPart, listVisits } from './visits.ts'

export { GRID }

/** One scheduled action of a camera; `at` in ms UTC. */
export interface PlanEntry {
  at: number
  action: string
  light: Light
  frames: number
  /** True if other cameras record the same visit. */
  visit?: true
}
export interface PlanInput {
  cameraId: string
  scene: SceneManifest
  fps: number
  utcOffsetMinutes: number
  /** Start time in ms UTC; if given, the first ten minutes get extra entries. */
  startedAt?: number
  /**
   * Index of the camera in the home, and number of cameras. In the first ten minutes the cameras take turns, so that
   * some camera shows activity.
   */
  slot?: { index: number; count: number }
  /** True if the schedule has no actions. */
  isQuiet?: boolean
}
export interface Picture {
  kind: 'quiet' | 'action'
  action?: string
  light: Light
  frame: number
  segmentStart: number
}

const MINUTE = 60_000,
  HOUR = 3_600_000,
  DAY = 86_400_000,
  FIRST = 10 * MINUTE,
  EVERY = 100_000
/** Index of the turn in the first ten minutes that is a visit. */
const VISIT_TURN = 1

/** Weight of each local hour for scheduling actions. */
const HOURS = [1, 1, 1, 1, 1, 1, 2, 8, 11, 10, 8, 8, 9, 8, 8, 9, 11, 11, 9, 4, 3, 3, 2, 1]

/** Returns day from 07:30 to 18:30 local time, dusk within half an hour of 07:00 and 19:00, else night. */
export function lightAt(ms: number, utcOffsetMinutes: number): Light {
  const h = mod(ms + utcOffsetMinutes * MINUTE, DAY) / HOUR
  if (h >= 7.5 && h < 18.5) return 'day'
  return h >= 6.5 && h < 19.5 ? 'dusk' : 'night'
}

const mod = (a: number, b: number): number => ((a % b) + b) % b

/** Returns a generator of pseudo-random numbers in [0,1), seeded with a text. */
function numbers(seed: string): () => number {
  let s = 2166136261
  for (let i = 0; i < seed.length; i++) s = Math.imul(s ^ seed.charCodeAt(i), 16777619)
  return () => {
    s = (s + 0x6d2b79f5) | 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Returns a function that picks the next action from shuffled lists, so that no action repeats too soon. */
function dealer(input: PlanInput, random: () => number): (light: Light) => { id: string; frames: number } | undefined {
  const decks: Record<Light, { id: string; frames: number }[]> = { day: [], dusk: [], night: [] }
  return (light) => {
    const all = input.scene.lights[light].actions
    if (decks[light].length === 0)
      decks[light] = all
        .map((a) => ({ a, k: random() }))
        .sort((x, y) => x.k - y.k)
        .map(({ a }) => ({ id: a.id, frames: a.frames }))
    return decks[light].pop()
  }
}

const lasts = (e: PlanEntry, fps: number): number => (e.frames * 1000) / fps

function pickHour(x: number): number {
  let left = x * HOURS.reduce((a, b) => a + b, 0)
  return Math.max(
    0,
    HOURS.findIndex((w) => (left -= w) < 0),
  )
}

/** Returns the schedule entry for a camera's part of a visit; an empty list if the scene lacks the action. */
function visitEntry(input: PlanInput, at: number, light: Light, action: string): PlanEntry[] {
  const found = input.scene.lights[light].actions.find(({ id }) => id === action)
  return found ? [{ at, action, light, frames: found.frames, visit: true }] : []
}

/** Schedules the actions of one local day, sorted by time. `day`: days since 1970 in local time. */
function planDay(input: PlanInput, day: number): PlanEntry[] {
  const random = numbers(`${input.cameraId}:${day}`),
    deal = dealer(input, random),
    count = 14 + Math.floor(random() * 11)
  const midnight = day * DAY - input.utcOffsetMinutes * MINUTE,
    out = listVisits(input.scene.name, midnight, numbers(`visits:${day}`)).flatMap(({ at, light, action }) =>
      visitEntry(input, at, light, action),
    )
  for (let tries = 0; out.length < count && tries < 600; tries++) {
    const at = Math.ceil((midnight + pickHour(random()) * HOUR + random() * HOUR) / GRID) * GRID,
      light = lightAt(at, input.utcOffsetMinutes)
    const longest = Math.max(0, ...input.scene.lights[light].actions.map((a) => (a.frames * 1000) / input.fps)),
      end = at + longest
    if (longest === 0 || end > midnight + DAY || lightAt(end - 1, input.utcOffsetMinutes) !== light) continue
    if (out.some((e) => at < e.at + lasts(e, input.fps) + 3 * MINUTE && e.at < end + 3 * MINUTE)) continue
    const a = deal(light)
    if (a) out.push({ at, action: a.id, light, frames: a.frames })
  }
  return out.sort((a, b) => a.at - b.at)
}

/**
 * Schedules extra entries for the first ten minutes: cameras take turns, and one turn is a visit that several cameras
 * record.
 */
function welcome(input: PlanInput): PlanEntry[] {
  if (input.startedAt === undefined) return []
  const { index, count } = input.slot ?? { index: 0, count: 1 },
    first = Math.ceil((input.startedAt + GRID) / GRID) * GRID
  const deal = dealer(input, numbers(`${input.cameraId}:${input.startedAt}`)),
    out: PlanEntry[] = []
  for (let j = 0, at = first; at < input.startedAt + FIRST; j++, at += EVERY) {
    const light = lightAt(at, input.utcOffsetMinutes),
      part = j === VISIT_TURN ? findPart(input.scene.name, light, 0) : undefined
    if (part) out.push(...visitEntry(input, at + part.after * GRID, light, part.action))
    if (part || j % count !== index % count) continue
    const a = deal(light)
    if (a) out.push({ at, action: a.id, light, frames: a.frames })
  }
  return out
}

/** Returns all entries whose segment overlaps [from, to), sorted by time. */
export function actionsBetween(input: PlanInput, from: number, to: number): PlanEntry[] {
  if (input.isQuiet) return []
  const shift = input.utcOffsetMinutes * MINUTE,
    extra = welcome(input),
    out: PlanEntry[] = []
  const over = (e: PlanEntry, a: number, b: number): boolean => e.at < b && e.at + lasts(e, input.fps) > a
  for (let d = Math.floor((from + shift) / DAY); d <= Math.floor((to - 1 + shift) / DAY); d++) {
    out.push(...planDay(input, d).filter((e) => !extra.some((x) => over(e, x.at, x.at + lasts(x, input.fps)))))
  }
  return [...out, ...extra].filter((e) => over(e, from, to)).sort((a, b) => a.at - b.at)
}

/**
 * Returns the frame that the camera shows at `ms` (UTC). Quiet segments repeat on a fixed clock, so that leaves never
 * jump.
 */
export function pictureAt(input: PlanInput, ms: number): Picture {
  const e = actionsBetween(input, ms, ms + 1)[0],
    frame = (start: number): number => Math.floor(((ms - start) * input.fps) / 1000 + 1e-6)
  if (e) return { kind: 'action', action: e.action, light: e.light, frame: frame(e.at), segmentStart: e.at }
  const light = lightAt(Math.floor(ms / GRID) * GRID, input.utcOffsetMinutes),
    round = (input.scene.lights[light].quiet.frames * 1000) / input.fps
  const start = Math.floor(ms / round) * round
  return { kind: 'quiet', light, frame: frame(start), segmentStart: start }
}
