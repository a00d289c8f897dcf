/**
 * `09:41` in the browser's zone; `time` in ms UTC. In a separate file, because first loads need only this format and
 * not the rest of date-formats.ts.
 */
export const clock = (time: number | Date): string => new Date(time).toTimeString().slice(0, 5)
