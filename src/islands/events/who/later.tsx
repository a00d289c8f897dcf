import { deferPart } from '../parts/defer.tsx'

/** Names a person on a clip, with undo. A chunk of its own: the player and the list import it. */
export const { Later: WhoIsThis } = deferPart(async () => (await import('./dressed.ts')).whoIsThis())
export const { Later: NameUndo } = deferPart(async () => (await import('./dressed.ts')).nameUndo())
