/**
 * `09:41` in the browser's zone; `time` in ms UTC. Separate file, because first loads need no other style of
 * date-formats.ts.
 */
export const clock = (time: number | Date): string => new Date(time).toTimeString().slice(0, 5)
