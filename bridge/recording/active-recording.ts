import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { Journal } from './journal.ts'

/** One event that goes on: its pictures, from a keyframe on, go into its journal as soon as that is open. */
export class Recording {
  /** Resolves when the journal has what came before it was open; undefined: there is no room for one. */
  readonly ready: Promise<Journal | undefined>
  private journal: Journal | undefined
  /** Undefined: they go to the journal, or nowhere. */
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

  /** What its clip will have so far, bytes. */
  get bytes(): number {
    return this.journal?.bytes ?? 0
  }

  add(unit: AccessUnit): void {
    if (!this.early) return this.journal?.add(unit)
    // Nothing can be shown of what comes before a keyframe.
    if (unit.keyframe || this.early.length > 0) this.early.push(unit)
    return undefined
  }
}
