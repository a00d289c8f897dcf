/** A stream is cut at most this long after the sign-in behind it has ended, and has sent at most so many bytes since. */
const LOOK_MS = 2000
const LOOK_BYTES = 4 * 1024 * 1024

/**
 * Passes bytes on while `stands` says so, and breaks off once it does not. It is asked before the first bytes that come after
 * `LOOK_MS` or `LOOK_BYTES`: a short clip costs no question, and nobody asks while nobody reads. `now` in ms.
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
