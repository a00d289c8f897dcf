/** `720`, `2,161` */
export const inFigures = (count: number): string => count.toLocaleString('en-US')

/** `1 clip`, `2,161 clips` */
export const inClips = (count: number): string => `${inFigures(count)} ${count === 1 ? 'clip' : 'clips'}`

/** `1 camera`, `3 cameras` */
export const inCameras = (count: number): string => `${count} ${count === 1 ? 'camera' : 'cameras'}`

/** `1 day`, `30 days` */
export const inDays = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`
