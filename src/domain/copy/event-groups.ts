import { inFigures } from './counts.ts'

/** `8 more like this`: label of a collapsed group. */
export const moreLikeThis = (count: number): string => `${inFigures(count)} more like this`
