import { inFigures } from './counts.ts'

/** `8 more like this`, of what a fold hides. */
export const moreLikeThis = (count: number): string => `${inFigures(count)} more like this`
