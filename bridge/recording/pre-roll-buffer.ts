import type { AccessUnit } from '../media/h264/annex-b.ts'

export const PRE_ROLL_MS = 5000
/** Maximum size of the pre-roll buffer, bytes; a camera with a higher bit rate gets a shorter pre-roll. */
const BYTES_MAX = 16 * 1024 * 1024

interface Group {
  readonly units: AccessUnit[]
  bytes: number
}

export const countBytes = (unit: AccessUnit) => unit.nals.reduce((sum, nal) => sum + nal.length, 0)

/** Latest GOPs of a camera: at least the pre-roll, starting at a keyframe. */
export class PictureRing {
  private groups: Group[] = []
  private bytes = 0

  push(unit: AccessUnit): void {
    const size = countBytes(unit)
    if (unit.keyframe) this.groups.push({ units: [unit], bytes: size })
    else this.groups.at(-1)?.units.push(unit)
    const group = this.groups.at(-1)
    if (!group) return
    if (!unit.keyframe) group.bytes += size
    this.bytes += size
    this.trim(unit.pts - PRE_ROLL_MS)
  }

  clear(): void {
    this.groups = []
    this.bytes = 0
  }

  /** Returns frames from the last keyframe at or before `at`; from the oldest frame if that keyframe is gone. */
  from(at: number): AccessUnit[] {
    const first = this.groups.findLastIndex((group) => (group.units[0]?.pts ?? 0) <= at)
    return this.groups.slice(Math.max(0, first)).flatMap((group) => group.units)
  }

  private trim(needed: number): void {
    while (this.groups.length > 1) {
      const second = this.groups[1]?.units[0]
      if (!second || (second.pts > needed && this.bytes <= BYTES_MAX)) return
      this.bytes -= this.groups.shift()?.bytes ?? 0
    }
    if (this.bytes > 2 * BYTES_MAX) this.clear()
  }
}
