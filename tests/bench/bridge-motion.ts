/**
 * `node tests/bench/bridge-motion.ts`: compares the bridge's motion detection on the drawn scenes with their ground
 * truth. Recall counts the actions that an event overlaps, precision the events that overlap an action.
 */
import { fileURLToPath } from 'node:url'
import { MotionDetector } from '../../bridge/motion/motion-detector.ts'
import { GrayDecoder, MOTION_FPS } from '../../bridge/motion/gray-decoder.ts'
import { Episodes, type Episode } from '../../bridge/motion/motion-episodes.ts'
import { inZones } from '../../bridge/motion/detection-mask.ts'
import { MotionRule } from '../../bridge/motion/sensitivity-filter.ts'
import { bestFile, renditionFile, SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import { type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import type { Light } from '../../scenes/manifest.ts'

const library = await SceneLibrary.open(fileURLToPath(new URL('../../scenes/', import.meta.url)))
const { fps } = library.manifest
const say = process.argv.includes('--verbose')

interface Stretch {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly frames: number
  /**
   * Start and end of the movement, seconds after the start of the stretch. `counts`: the movement lies in a motion
   * zone.
   */
  readonly truth?: { readonly from: number; readonly to: number; readonly counts: boolean }
}
interface Score {
  found: number
  actions: number
  right: number
  events: number
}

/**
 * Motion zones as owners would draw them. The zones leave out passing cars, which move but are not in the ground truth.
 */
const ZONES: Readonly<Record<string, CameraSettings['zones']>> = {
  driveway: [
    [
      [0, 0.5],
      [1, 0.5],
      [1, 1],
      [0, 1],
    ],
  ],
  'front-door': [
    [
      [0.2, 0.5],
      [0.78, 0.5],
      [1, 0.62],
      [1, 1],
      [0, 1],
      [0, 0.62],
    ],
  ],
}
/** Zones cannot exclude the traffic of the street scene, so events in its quiet loop are not scored. */
const UNJUDGED = new Set(['street'])

function buildReel(scene: string, light: Light): Stretch[] {
  const { quiet, actions } = library.scene(scene).lights[light]
  const still = { name: 'quiet', files: quiet.files, frames: quiet.frames }
  return [
    still,
    ...actions.map(({ id, files, frames, from, to, boxes }) => {
      const counts = boxes.some(({ x, y, w, h }) => inZones(x + w / 2, y + h / 2, ZONES[scene] ?? []))
      return { name: id, files, frames, truth: { from, to, counts } }
    }),
  ]
}

/** Runs the motion detection on the reel. Returns the detected events, in ms from the start of the reel. */
async function watch(reel: readonly Stretch[], scene: string): Promise<Episode[]> {
  const detector = new MotionDetector()
  const rule = new MotionRule({ ...DEFAULT_CAMERA_SETTINGS, zones: ZONES[scene] ?? [] })
  const found: Episode[] = []
  const episodes = new Episodes({ began: () => undefined, ended: (episode) => void found.push(episode) })
  let frame = 0
  await new Promise<void>((resolve) => {
    const decoder = new GrayDecoder({
      pace: fps,
      onFrame: (gray) => {
        const at = (frame++ * 1000) / MOTION_FPS
        episodes.push({ at, ...rule.judge(detector.push(gray, at)) })
      },
      onEnd: resolve,
    })
    void feed(decoder, reel)
  })
  episodes.close()
  return found
}

async function feed(decoder: GrayDecoder, reel: readonly Stretch[]): Promise<void> {
  for (const { files } of reel) {
    const file = process.argv.includes('--720') ? bestFile(files) : renditionFile(files, '360')
    for (const picture of await library.segment(file)) {
      decoder.push(picture)
      if (decoder.behind > 200_000) await decoder.drained()
    }
  }
  decoder.finish()
}

function judge(scene: string, reel: readonly Stretch[], found: readonly Episode[], name: string): Score {
  let start = 0
  const truths = reel.flatMap(({ name: id, frames, truth }) => {
    const from = start
    start += (frames / fps) * 1000
    if (!truth) return []
    return [{ id, from: from + truth.from * 1000, to: from + truth.to * 1000, counts: truth.counts }]
  })
  const meets = (episode: Episode, truth: { from: number; to: number }) =>
    episode.begin < truth.to + 1000 && episode.end > truth.from - 1000
  const missed = truths.filter((truth) => truth.counts && !found.some((episode) => meets(episode, truth)))
  const quietMs = ((reel[0]?.frames ?? 0) / fps) * 1000
  const judged = found.filter((episode) => !UNJUDGED.has(scene) || episode.begin > quietMs)
  const wrong = judged.filter((episode) => !truths.some((truth) => meets(episode, truth)))
  if (say) {
    for (const { id, from } of missed) console.log(`  ${name}: ${id} at ${from / 1000} s was missed`)
    for (const { begin, end, area } of wrong)
      console.log(`  ${name}: nothing happens from ${begin / 1000} to ${end / 1000} s (${(area * 100).toFixed(2)} %)`)
    for (const truth of truths) {
      const own = found.filter((episode) => meets(episode, truth))
      const times = own.map(({ begin, end }) => `${(begin - truth.from) / 1000}..${(end - truth.to) / 1000}`)
      console.log(`  ${name}: ${truth.id} begins and ends off by ${times.join(' | ')}`)
    }
  }
  return {
    found: truths.filter((truth) => truth.counts).length - missed.length,
    actions: truths.filter((truth) => truth.counts).length,
    right: judged.length - wrong.length,
    events: judged.length,
  }
}

const GOAL = { day: 0.95, dusk: 0.9, night: 0.9 }
for (const light of ['day', 'dusk', 'night'] as const) {
  const sum: Score = { found: 0, actions: 0, right: 0, events: 0 }
  for (const scene of Object.keys(library.manifest.scenes)) {
    const reel = buildReel(scene, light)
    const score = judge(scene, reel, await watch(reel, scene), `${scene} by ${light}`)
    for (const key of Object.keys(sum) as (keyof Score)[]) sum[key] += score[key]
  }
  const [recall, precision] = [sum.found / sum.actions, sum.right / sum.events]
  const holds = recall >= GOAL[light] && precision >= GOAL[light]
  console.log(
    `motion by ${light}: recall ${recall.toFixed(3)} (${sum.found} of ${sum.actions}), ` +
      `precision ${precision.toFixed(3)} (${sum.right} of ${sum.events} events), goal ${GOAL[light]}: ${holds ? 'holds' : 'missed'}`,
  )
  if (!holds) process.exitCode = 1
}
