import { atom } from 'nanostores'

/** The last change of a name, which can be undone until `until` (ms UTC). */
export interface PeopleUndo {
  readonly text: string
  readonly until: number
  /** Returns whether it is undone. */
  readonly undo: () => Promise<boolean>
}

export const $peopleUndo = atom<PeopleUndo | null>(null)

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows for `lastsMs` what was done, with a button that undoes it. */
export function showUndo(text: string, lastsMs: number, undo: PeopleUndo['undo']): void {
  clearTimeout(timer)
  $peopleUndo.set({ text, until: Date.now() + lastsMs, undo })
  timer = setTimeout(closeUndo, lastsMs)
}

export function closeUndo(): void {
  clearTimeout(timer)
  $peopleUndo.set(null)
}

/** Undoes the last change. After a failure it can be tried again. */
export async function undoLast(): Promise<null> {
  const last = $peopleUndo.get()
  if (last && (await last.undo()) && $peopleUndo.get() === last) closeUndo()
  return null
}
