import { deferPart } from '../parts/defer.tsx'

/**
 * Components to name a person in a clip and to undo it. They have their own chunk, because the player and the list both
 * use them.
 */
export const { Later: WhoIsThis } = deferPart(async () => (await import('./lazy-person-names.ts')).whoIsThis())
export const { Later: NameUndo } = deferPart(async () => (await import('./lazy-person-names.ts')).nameUndo())
