import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { CameraSettings, MotionPreview } from '../../contract/cameras/camera-settings.ts'
import { EpisodeDetector, KEYFRAME_THRESHOLDS, type Episode, type EpisodeThresholds } from './motion-episodes.ts'
import { decodeSamples, encodeSample, type TracedSample } from './trace-encoding.ts'
import { SensitivityFilter, type MotionSample } from './sensitivity-filter.ts'
import { compareIntervals, PREVIEW_MS, type MotionInterval } from './motion-preview.ts'
import { MonitoredTime } from './monitored-time.ts'

/** Limits of a block of samples: time span in ms, and bytes before compression. */
const BLOCK_DURATION_MS = 60_000
const BLOCK_BYTES = 256 * 1024
/** Maximum bytes of compressed samples per camera. If there are more, `MotionTrace` discards the oldest blocks. */
const MAX_TRACE_BYTES = 2 * 1024 * 1024
/** Maximum time between two frames, ms; a longer time leaves a coverage gap. */
const MAX_SAMPLE_GAP_MS = 5000

interface Block {
  readonly from: number
  readonly to: number
  readonly compressed: Buffer
}

/** Stores the motion samples and recorded events of the last hour, for previews of other motion settings. */
export class MotionTrace {
  #blocks: Block[] = []
  #openSamples: Buffer[] = []
  #openBytes = 0
  #openFrom = 0
  #lastSampleAt = 0
  #isInterrupted = true
  #bytes = 0
  #recordedIntervals: MotionInterval[] = []
  readonly #monitoredTime = new MonitoredTime(PREVIEW_MS)

  push(sample: MotionSample, thresholds?: EpisodeThresholds): void {
    if (sample.at - this.#lastSampleAt > MAX_SAMPLE_GAP_MS) this.#monitoredTime.startSpan(sample.at)
    else this.#monitoredTime.extendTo(sample.at)
    if (
      this.#openSamples.length > 0 &&
      (sample.at - this.#openFrom >= BLOCK_DURATION_MS || this.#openBytes >= BLOCK_BYTES)
    )
      this.#closeBlock()
    if (this.#openSamples.length === 0) this.#openFrom = this.#lastSampleAt = sample.at
    const bytes = encodeSample(
      { sample: sample, keyframesOnly: thresholds === KEYFRAME_THRESHOLDS, afterBreak: this.#isInterrupted },
      this.#lastSampleAt,
    )
    this.#openSamples.push(bytes)
    this.#openBytes += bytes.length
    this.#lastSampleAt = sample.at
    this.#isInterrupted = false
  }

  /** Size of all complete blocks, bytes; at most `MAX_TRACE_BYTES`. */
  get compressedBytes(): number {
    return this.#bytes
  }

  interrupt(): void {
    this.#isInterrupted = true
  }

  startInterval(at: number, event_id: string): void {
    const recent = this.#recordedIntervals.filter(({ end }) => end > at - PREVIEW_MS)
    this.#recordedIntervals = [...recent, { begin: at, end: Infinity, event_id }]
  }

  endInterval({ begin, end }: Episode): void {
    this.#recordedIntervals = this.#recordedIntervals.map((interval) =>
      interval.begin === begin ? { ...interval, end } : interval,
    )
  }

  /** Previews other motion settings on the hour before `now`, ms UTC. Yields to the event loop after each block. */
  async preview(settings: CameraSettings, now: number): Promise<MotionPreview> {
    const from = now - PREVIEW_MS
    const [blocks, oldest] = [[...this.#blocks, ...this.#compressOpenBlock()], this.#blocks[0]?.from ?? this.#openFrom]
    const recordedIntervals = this.#recordedIntervals.map((interval) => ({
      ...interval,
      end: Math.min(interval.end, now),
    }))
    const monitoredTime = this.#monitoredTime.measureSince(Math.max(from, oldest))
    const would = settings.motion ? await replay(blocks, settings) : []
    const isRecent = ({ end }: MotionInterval) => end > from && end >= oldest
    return { ...monitoredTime, events: compareIntervals(recordedIntervals.filter(isRecent), would.filter(isRecent)) }
  }

  #closeBlock(): void {
    this.#blocks.push(...this.#compressOpenBlock())
    this.#bytes = this.#blocks.reduce((sum, { compressed }) => sum + compressed.length, 0)
    while (this.#bytes > MAX_TRACE_BYTES || (this.#blocks[0]?.to ?? Infinity) < this.#lastSampleAt - PREVIEW_MS) {
      this.#bytes -= this.#blocks.shift()?.compressed.length ?? 0
    }
    this.#openSamples = []
    this.#openBytes = 0
  }

  #compressOpenBlock(): Block[] {
    if (this.#openSamples.length === 0) return []
    return [
      { from: this.#openFrom, to: this.#lastSampleAt, compressed: deflateRawSync(Buffer.concat(this.#openSamples)) },
    ]
  }
}

async function replay(blocks: readonly Block[], settings: CameraSettings): Promise<Episode[]> {
  const found: Episode[] = []
  const rule = new SensitivityFilter(settings)
  const episodes = new EpisodeDetector({ onBegin: () => undefined, onEnd: (episode) => void found.push(episode) })
  for (const { from, compressed } of blocks) {
    for (const traced of decodeSamples(inflateRawSync(compressed), from)) evaluateSample(traced, rule, episodes)
    await new Promise(setImmediate)
  }
  episodes.close()
  return found
}

function evaluateSample(
  { sample, keyframesOnly, afterBreak }: TracedSample,
  filter: SensitivityFilter,
  episodes: EpisodeDetector,
): void {
  if (afterBreak) episodes.close()
  episodes.push({ at: sample.at, ...filter.evaluate(sample) }, keyframesOnly ? KEYFRAME_THRESHOLDS : undefined)
}
