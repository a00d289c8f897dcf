/** Maximum time and maximum bytes between two checks of the sign-in. They limit how much is sent after a sign-out. */
const CHECK_INTERVAL_MS = 2000
const CHECK_INTERVAL_BYTES = 4 * 1024 * 1024

/**
 * Returns a stream that passes bytes through, and fails when `isSignInValid` returns false. Checks the sign-in at the
 * first chunk after `CHECK_INTERVAL_MS` or `CHECK_INTERVAL_BYTES`, so that short clips cause no query. `now` returns
 * the current time in ms.
 */
export function stopOnSignOut(
  isSignInValid: () => Promise<boolean>,
  now: () => number,
): TransformStream<Uint8Array, Uint8Array> {
  let [checkedAt, sentBytes] = [now(), 0]
  return new TransformStream<Uint8Array, Uint8Array>({
    async transform(bytes, controller) {
      if (now() - checkedAt >= CHECK_INTERVAL_MS || sentBytes >= CHECK_INTERVAL_BYTES) {
        if (!(await isSignInValid())) throw new Error('The session for this stream has ended.')
        ;[checkedAt, sentBytes] = [now(), 0]
      }
      sentBytes += bytes.byteLength
      controller.enqueue(bytes)
    },
  })
}
