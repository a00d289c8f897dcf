/**
 * `node tests/bench/bridge-motion.ts`: compares the bridge's motion detection on the rendered scenes with their ground
 * truth. Recall: share of the actions in the motion zones that an event overlaps. Precision: share of the events that
 * overlap an action.
 */
import { fileURLToPath } from 'node:url'
import { MotionDetector } from '../../bridge/motion/motion-detector.ts'
import { GrayDecoder, MOTION_FPS } from '../../bridge/motion/gray-decoder.ts'
import { EpisodeDetector, type Episode } from '../../bridge/motion/motion-episodes.ts'
import { isInZones } from '../../bridge/motion/detection-mask.ts'
import { SensitivityFilter } from '../../bridge/motion/sensitivity-filter.ts'
import { getBestFile, getRenditionFile, SceneLibrary } from '../../bridge/virtual/scene-library.ts'
import { type CameraSettings, DEFAULT_CAMERA_SETTINGS } from '../../contract/cameras/camera-settings.ts'
import type { TimeOfDay } from '../../scenes/manifest.ts'

const library = await SceneLibrary.open(fileURLToPath(new URL('../../scenes/', import.meta.url)))
const { fps } = library.manifest
const isVerbose = process.argv.includes('--verbose')

interface ReelSegment {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly frames: number
  /**
   * Start and end of the movement, seconds after the segment's start. `counts`: true if the movement is in a motion
   * zone.
   */
  readonly truth?: { readonly from: number; readonly to: number; readonly isInZone: boolean }
}
interface DetectionScore {
  foundActionCount: number
  actions: number
  correctEventCount: number
  events: number
}

/** Motion zones as an owner would draw them. They exclude passing cars, which are not in the ground truth. */
const MOTION_ZONES_BY_SCENE: Readonly<Record<string, CameraSettings['zones']>> = {
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
/** Scenes whose quiet loop is not scored: zones cannot exclude the traffic of the street scene. */
const UNSCORED_QUIET_SCENES = new Set(['street'])

function buildReel(scene: string, light: TimeOfDay): ReelSegment[] {
  const { quiet, actions } = library.getScene(scene).lights[light]
  const quietSegment = { name: 'quiet', files: quiet.files, frames: quiet.frames }
  return [
    quietSegment,
    ...actions.map(({ id, files, frames, from, to, boxes }) => {
      const isInZone = boxes.some(({ x, y, w, h }) =>
        isInZones(x + w / 2, y + h / 2, MOTION_ZONES_BY_SCENE[scene] ?? []),
      )
      return { name: id, files, frames, truth: { from, to, isInZone } }
    }),
  ]
}

/** Runs the motion detection on the reel. Returns the detected events, in ms from the start of the reel. */
async function detectMotion(reel: readonly ReelSegment[], scene: string): Promise<Episode[]> {
  const detector = new MotionDetector()
  const sensitivityFilter = new SensitivityFilter({
    ...DEFAULT_CAMERA_SETTINGS,
    zones: MOTION_ZONES_BY_SCENE[scene] ?? [],
  })
  const foundEpisodes: Episode[] = []
  const episodes = new EpisodeDetector({
    onBegin: () => undefined,
    onEnd: (episode) => void foundEpisodes.push(episode),
  })
  let frame = 0
  await new Promise<void>((resolve) => {
    const decoder = new GrayDecoder({
      pace: fps,
      onFrame: (gray) => {
        const at = (frame++ * 1000) / MOTION_FPS
        episodes.push({ at, ...sensitivityFilter.evaluate(detector.push(gray, at)) })
      },
      onEnd: resolve,
    })
    void feedDecoder(decoder, reel)
  })
  episodes.close()
  return foundEpisodes
}

async function feedDecoder(decoder: GrayDecoder, reel: readonly ReelSegment[]): Promise<void> {
  for (const { files } of reel) {
    const file = process.argv.includes('--720') ? getBestFile(files) : getRenditionFile(files, '360')
    for (const picture of await library.loadSegment(file)) {
      decoder.push(picture)
      if (decoder.unreadBytes > 200_000) await decoder.waitForDrain()
    }
  }
  decoder.finish()
}

function scoreScene(
  scene: string,
  reel: readonly ReelSegment[],
  foundEpisodes: readonly Episode[],
  name: string,
): DetectionScore {
  let start = 0
  const groundTruths = reel.flatMap(({ name: id, frames, truth }) => {
    const from = start
    start += (frames / fps) * 1000
    if (!truth) return []
    return [{ id, from: from + truth.from * 1000, to: from + truth.to * 1000, isInZone: truth.isInZone }]
  })
  const overlaps = (episode: Episode, truth: { from: number; to: number }) =>
    episode.begin < truth.to + 1000 && episode.end > truth.from - 1000
  const missed = groundTruths.filter(
    (truth) => truth.isInZone && !foundEpisodes.some((episode) => overlaps(episode, truth)),
  )
  const quietMs = ((reel[0]?.frames ?? 0) / fps) * 1000
  const judged = foundEpisodes.filter((episode) => !UNSCORED_QUIET_SCENES.has(scene) || episode.begin > quietMs)
  const wrong = judged.filter((episode) => !groundTruths.some((truth) => overlaps(episode, truth)))
  if (isVerbose) {
    for (const { id, from } of missed) console.log(`  ${name}: ${id} at ${from / 1000} s was missed`)
    for (const { begin, end, area } of wrong)
      console.log(`  ${name}: nothing happens from ${begin / 1000} to ${end / 1000} s (${(area * 100).toFixed(2)} %)`)
    for (const truth of groundTruths) {
      const own = foundEpisodes.filter((episode) => overlaps(episode, truth))
      const times = own.map(({ begin, end }) => `${(begin - truth.from) / 1000}..${(end - truth.to) / 1000}`)
      console.log(`  ${name}: ${truth.id} begins and ends off by ${times.join(' | ')}`)
    }
  }
  return {
    foundActionCount: groundTruths.filter((truth) => truth.isInZone).length - missed.length,
    actions: groundTruths.filter((truth) => truth.isInZone).length,
    correctEventCount: judged.length - wrong.length,
    events: judged.length,
  }
}

const MIN_SCORES_BY_LIGHT = { day: 0.95, dusk: 0.9, night: 0.9 }
for (const light of ['day', 'dusk', 'night'] as const) {
  const sum: DetectionScore = { foundActionCount: 0, actions: 0, correctEventCount: 0, events: 0 }
  for (const scene of Object.keys(library.manifest.scenes)) {
    const reel = buildReel(scene, light)
    const score = scoreScene(scene, reel, await detectMotion(reel, scene), `${scene} by ${light}`)
    for (const key of Object.keys(sum) as (keyof DetectionScore)[]) sum[key] += score[key]
  }
  const [recall, precision] = [sum.foundActionCount / sum.actions, sum.correctEventCount / sum.events]
  const holds = recall >= MIN_SCORES_BY_LIGHT[light] && precision >= MIN_SCORES_BY_LIGHT[light]
  console.log(
    `motion by ${light}: recall ${recall.toFixed(3)} (${sum.foundActionCount} of ${sum.actions}), ` +
      `precision ${precision.toFixed(3)} (${sum.correctEventCount} of ${sum.events} events), goal ${MIN_SCORES_BY_LIGHT[light]}: ${holds ? 'holds' : 'missed'}`,
  )
  if (!holds) process.exitCode = 1
}
