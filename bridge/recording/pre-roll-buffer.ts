import type { AccessUnit } from '../media/h264/annex-b.ts'

export const PRE_ROLL_MS = 5000
/**
 * Size above which the buffer drops its oldest GOPs, bytes, even if the pre-roll is then shorter than `PRE_ROLL_MS`. A
 * single GOP may have up to twice this size.
 */
const MAX_BUFFER_BYTES = 16 * 1024 * 1024

interface Gop {
  readonly units: AccessUnit[]
  bytes: number
}

export const countBytes = (unit: AccessUnit) => unit.nals.reduce((sum, nal) => sum + nal.length, 0)

/** Latest GOPs of a camera, which cover at least `PRE_ROLL_MS` unless they exceed `MAX_BUFFER_BYTES`. */
export class PreRollBuffer {
  #gops: Gop[] = []
  #bytes = 0

  push(unit: AccessUnit): void {
    const size = countBytes(unit)
    if (unit.keyframe) this.#gops.push({ units: [unit], bytes: size })
    else this.#gops.at(-1)?.units.push(unit)
    const gop = this.#gops.at(-1)
    if (!gop) return
    if (!unit.keyframe) gop.bytes += size
    this.#bytes += size
    this.#trim(unit.pts - PRE_ROLL_MS)
  }

  clear(): void {
    this.#gops = []
    this.#bytes = 0
  }

  /** Returns the frames from the last keyframe at or before `at`, or all frames if the buffer starts later. */
  listFramesFrom(at: number): AccessUnit[] {
    const first = this.#gops.findLastIndex((group) => (group.units[0]?.pts ?? 0) <= at)
    return this.#gops.slice(Math.max(0, first)).flatMap((group) => group.units)
  }

  #trim(neededFrom: number): void {
    while (this.#gops.length > 1) {
      const second = this.#gops[1]?.units[0]
      if (!second || (second.pts > neededFrom && this.#bytes <= MAX_BUFFER_BYTES)) return
      this.#bytes -= this.#gops.shift()?.bytes ?? 0
    }
    if (this.#bytes > 2 * MAX_BUFFER_BYTES) this.clear()
  }
}
