import { formatCount } from './counts.ts'

/** Label of the button that opens synced playback: `Watch 3 cameras together`. */
export const watchTogetherLabel = (cameras: number): string => `Watch ${formatCount(cameras, 'camera')} together`
