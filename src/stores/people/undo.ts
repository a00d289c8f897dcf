import { atom } from 'nanostores'

/** Last change to people (name, merge, hiding or difference), which can be undone until `until` (ms UTC). */
export interface PeopleUndo {
  readonly text: string
  readonly until: number
  /** Returns true if the change was undone. */
  readonly undo: () => Promise<boolean>
}

export const $peopleUndo = atom<PeopleUndo | null>(null)

let undoCloseTimer: ReturnType<typeof setTimeout> | undefined

/** Shows the change for `durationMs`, with an undo button. */
export function showPeopleUndo(text: string, durationMs: number, undo: PeopleUndo['undo']): void {
  clearTimeout(undoCloseTimer)
  $peopleUndo.set({ text, until: Date.now() + durationMs, undo })
  undoCloseTimer = setTimeout(closePeopleUndo, durationMs)
}

export function closePeopleUndo(): void {
  clearTimeout(undoCloseTimer)
  $peopleUndo.set(null)
}

/** Undoes the last change. Returns null even after a failure, because a toast shows it. The user can then retry. */
export async function undoLastPeopleChange(): Promise<null> {
  const last = $peopleUndo.get()
  if (last && (await last.undo()) && $peopleUndo.get() === last) closePeopleUndo()
  return null
}
