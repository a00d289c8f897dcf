/** Interval between sign-in checks, in time and in bytes: limits how much a stream sends after a sign-out. */
const LOOK_MS = 2000
const LOOK_BYTES = 4 * 1024 * 1024

/**
 * Passes bytes through until `stands` returns false, then fails. Checks only when a chunk arrives after `LOOK_MS` or
 * `LOOK_BYTES`, so short clips and idle streams cost no query. `now` in ms.
 */
export function cutOff(stands: () => Promise<boolean>, now: () => number): TransformStream<Uint8Array, Uint8Array> {
  let [at, sent] = [now(), 0]
  return new TransformStream<Uint8Array, Uint8Array>({
    async transform(bytes, controller) {
      if (now() - at >= LOOK_MS || sent >= LOOK_BYTES) {
        if (!(await stands())) throw new Error('The sign-in behind this stream has ended.')
        ;[at, sent] = [now(), 0]
      }
      sent += bytes.byteLength
      controller.enqueue(bytes)
    },
  })
}
