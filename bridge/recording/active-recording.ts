import type { AccessUnit } from '../media/h264/annex-b.ts'
import type { Journal } from './journal.ts'

/** Recording of a current event. Buffers frames, starting at a keyframe, until the journal is open. */
export class ActiveRecording {
  /**
   * Resolves to the journal after the buffered frames were added to it; resolves to undefined if the journal could not
   * be opened.
   */
  readonly ready: Promise<Journal | undefined>
  #journal: Journal | undefined
  /**
   * Frames that wait for the journal. Undefined after the journal was opened, or after opening failed and the frames
   * were lost.
   */
  #pendingUnits: AccessUnit[] | undefined = []

  constructor(frames: readonly AccessUnit[], journal: Promise<Journal | undefined>) {
    for (const unit of frames) this.add(unit)
    this.ready = journal.then((openedJournal) => {
      for (const unit of this.#pendingUnits ?? []) openedJournal?.add(unit)
      this.#pendingUnits = undefined
      this.#journal = openedJournal
      return openedJournal
    })
  }

  get bytes(): number {
    return this.#journal?.bytes ?? 0
  }

  add(unit: AccessUnit): void {
    if (!this.#pendingUnits) return this.#journal?.add(unit)
    // Frames before the first keyframe cannot be shown.
    if (unit.keyframe || this.#pendingUnits.length > 0) this.#pendingUnits.push(unit)
    return undefined
  }
}
