import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { Journal } from './journal.ts'

/** Recording of a current event: writes its frames, from a keyframe on, to a journal as soon as the journal is open. */
export class Recording {
  /**
   * Resolves when the journal contains the frames that arrived before it was open. Resolves to undefined if the disk
   * has no room for a journal.
   */
  readonly ready: Promise<Journal | undefined>
  private journal: Journal | undefined
  /**
   * Frames that wait until the journal is open. Undefined afterwards: frames then go to the journal, or are dropped if
   * there is none.
   */
  private early: AccessUnit[] | undefined = []

  constructor(pictures: readonly AccessUnit[], journal: Promise<Journal | undefined>) {
    for (const unit of pictures) this.add(unit)
    this.ready = journal.then((open) => {
      for (const unit of this.early ?? []) open?.add(unit)
      this.early = undefined
      this.journal = open
      return open
    })
  }

  get bytes(): number {
    return this.journal?.bytes ?? 0
  }

  add(unit: AccessUnit): void {
    if (!this.early) return this.journal?.add(unit)
    // Frames before the first keyframe cannot be shown.
    if (unit.keyframe || this.early.length > 0) this.early.push(unit)
    return undefined
  }
}
