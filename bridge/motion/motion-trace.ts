import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { CameraSettings, MotionTrial } from '../../contract/cameras/camera-settings.ts'
import { Episodes, KEYFRAMES_ONLY, type Episode, type Rate } from './motion-episodes.ts'
import { readLooks, writeLook, type TracedLook } from './trace-encoding.ts'
import { MotionRule, type MotionSample } from './sensitivity-filter.ts'
import { compareStretches, TRIAL_MS, type MotionInterval } from './motion-preview.ts'
import { WatchedTime } from './monitored-time.ts'

/** A block is compressed when it spans this long, ms, or takes this many bytes. */
const BLOCK_MS = 60_000
const BLOCK_BYTES = 256 * 1024
/** Maximum bytes stored per camera; an hour of a quiet scene takes a tenth of it. */
const TRACE_BYTES = 2 * 1024 * 1024
/** Maximum time between two frames, ms; a longer time leaves a coverage gap. */
const GAP_MS = 5000

interface Block {
  readonly from: number
  readonly to: number
  readonly packed: Buffer
}

/** Motion samples and recorded events of the last hour, so that other settings can be previewed. */
export class MotionTrace {
  private blocks: Block[] = []
  private open: Buffer[] = []
  private openBytes = 0
  private openFrom = 0
  private last = 0
  private broken = true
  private bytes = 0
  private recorded: MotionInterval[] = []
  private readonly watched = new WatchedTime(TRIAL_MS)

  push(look: MotionSample, rate?: Rate): void {
    if (look.at - this.last > GAP_MS) this.watched.startSpan(look.at)
    else this.watched.until(look.at)
    if (this.open.length > 0 && (look.at - this.openFrom >= BLOCK_MS || this.openBytes >= BLOCK_BYTES)) this.seal()
    if (this.open.length === 0) this.openFrom = this.last = look.at
    const bytes = writeLook({ look, keyframesOnly: rate === KEYFRAMES_ONLY, afterBreak: this.broken }, this.last)
    this.open.push(bytes)
    this.openBytes += bytes.length
    this.last = look.at
    this.broken = false
  }

  interrupt(): void {
    this.broken = true
  }

  began(at: number, event_id: string): void {
    const recent = this.recorded.filter(({ end }) => end > at - TRIAL_MS)
    this.recorded = [...recent, { begin: at, end: Infinity, event_id }]
  }

  ended({ begin, end }: Episode): void {
    this.recorded = this.recorded.map((interval) => (interval.begin === begin ? { ...interval, end } : interval))
  }

  /**
   * Previews other settings on the hour before `now`, ms UTC. Yields to the event loop after each block of up to a
   * minute.
   */
  async try(settings: CameraSettings, now: number): Promise<MotionTrial> {
    const from = now - TRIAL_MS
    const [blocks, oldest] = [[...this.blocks, ...this.sealed()], this.blocks[0]?.from ?? this.openFrom]
    const recorded = this.recorded.map((interval) => ({ ...interval, end: Math.min(interval.end, now) }))
    const watched = this.watched.since(Math.max(from, oldest))
    const would = settings.motion ? await replay(blocks, settings) : []
    const recent = ({ end }: MotionInterval) => end > from && end >= oldest
    return { ...watched, events: compareStretches(recorded.filter(recent), would.filter(recent)) }
  }

  private seal(): void {
    this.blocks.push(...this.sealed())
    this.bytes = this.blocks.reduce((sum, { packed }) => sum + packed.length, 0)
    while (this.bytes > TRACE_BYTES || (this.blocks[0]?.to ?? Infinity) < this.last - TRIAL_MS) {
      this.bytes -= this.blocks.shift()?.packed.length ?? 0
    }
    this.open = []
    this.openBytes = 0
  }

  private sealed(): Block[] {
    if (this.open.length === 0) return []
    return [{ from: this.openFrom, to: this.last, packed: deflateRawSync(Buffer.concat(this.open)) }]
  }
}

async function replay(blocks: readonly Block[], settings: CameraSettings): Promise<Episode[]> {
  const found: Episode[] = []
  const rule = new MotionRule(settings)
  const episodes = new Episodes({ began: () => undefined, ended: (episode) => void found.push(episode) })
  for (const { from, packed } of blocks) {
    for (const traced of readLooks(inflateRawSync(packed), from)) judge(traced, rule, episodes)
    await new Promise(setImmediate)
  }
  episodes.close()
  return found
}

function judge({ look, keyframesOnly, afterBreak }: TracedLook, rule: MotionRule, episodes: Episodes): void {
  if (afterBreak) episodes.close()
  episodes.push({ at: look.at, ...rule.judge(look) }, keyframesOnly ? KEYFRAMES_ONLY : undefined)
}
