import { formatNumber } from './counts.ts'

/** Returns the label of a collapsed group: `8 more like this`. */
export const formatMoreLikeThis = (count: number): string => `${formatNumber(count)} more like this`
