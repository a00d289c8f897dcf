/** Formats a number with thousands separators: `720`, `2,161`. */
export const formatNumber = (count: number): string => count.toLocaleString('en-US')

/** Formats a number of clips: `1 clip`, `2,161 clips`. */
export const formatClipCount = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'clip' : 'clips'}`

/** Formats a number of cameras: `1 camera`, `3 cameras`. */
export const formatCameraCount = (count: number): string => `${count} ${count === 1 ? 'camera' : 'cameras'}`

/** Formats a number of days: `1 day`, `30 days`. */
export const formatDayCount = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`
