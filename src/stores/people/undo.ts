import { atom } from 'nanostores'

/** Last change to people (name, merge or hiding), which can be undone until `until` (ms UTC). */
export interface PeopleUndo {
  readonly text: string
  readonly until: number
  /** Returns true if the change was undone. */
  readonly undo: () => Promise<boolean>
}

export const $peopleUndo = atom<PeopleUndo | null>(null)

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows the change for `lastsMs`, with an undo button. */
export function showUndo(text: string, lastsMs: number, undo: PeopleUndo['undo']): void {
  clearTimeout(timer)
  $peopleUndo.set({ text, until: Date.now() + lastsMs, undo })
  timer = setTimeout(closeUndo, lastsMs)
}

export function closeUndo(): void {
  clearTimeout(timer)
  $peopleUndo.set(null)
}

/** Undoes the last change. A failed undo can be retried. */
export async function undoLast(): Promise<null> {
  const last = $peopleUndo.get()
  if (last && (await last.undo()) && $peopleUndo.get() === last) closeUndo()
  return null
}
