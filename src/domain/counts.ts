/** `1 camera`, `3 cameras` */
export const inCameras = (count: number): string => `${count} ${count === 1 ? 'camera' : 'cameras'}`

/** `1 day`, `30 days` */
export const inDays = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`
