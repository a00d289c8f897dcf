/** Interval between checks of the sign-in, in time and in bytes. It limits how much a stream sends after a sign-out. */
const CHECK_INTERVAL_MS = 2000
const CHECK_INTERVAL_BYTES = 4 * 1024 * 1024

/**
 * Passes bytes through until `isSignInValid` returns false, then fails. Checks only when a chunk arrives after the time
 * or byte interval has passed, so that short clips cost no query. `now` returns ms.
 */
export function stopOnSignOut(
  isSignInValid: () => Promise<boolean>,
  now: () => number,
): TransformStream<Uint8Array, Uint8Array> {
  let [checkedAt, sentBytes] = [now(), 0]
  return new TransformStream<Uint8Array, Uint8Array>({
    async transform(bytes, controller) {
      if (now() - checkedAt >= CHECK_INTERVAL_MS || sentBytes >= CHECK_INTERVAL_BYTES) {
        if (!(await isSignInValid())) throw new Error('The sign-in behind this stream has ended.')
        ;[checkedAt, sentBytes] = [now(), 0]
      }
      sentBytes += bytes.byteLength
      controller.enqueue(bytes)
    },
  })
}
