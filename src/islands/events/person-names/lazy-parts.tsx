import { deferPart } from '../parts/defer.tsx'

/** Names a person on a clip, with undo. A chunk of its own: the player and the list import it. */
export const { Later: WhoIsThis } = deferPart(async () => (await import('./lazy-person-names.ts')).whoIsThis())
export const { Later: NameUndo } = deferPart(async () => (await import('./lazy-person-names.ts')).nameUndo())
