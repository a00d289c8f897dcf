/** Maximum time and maximum bytes between two checks. They limit how much is sent after the access has ended. */
export const ACCESS_CHECK_INTERVAL_MS = 2000
const ACCESS_CHECK_INTERVAL_BYTES = 4 * 1024 * 1024

/**
 * Returns a stream that passes bytes through, and fails when `hasAccess` returns false, for example after a sign-out or
 * the end of a share. Checks the access at the first chunk after `ACCESS_CHECK_INTERVAL_MS` or
 * `ACCESS_CHECK_INTERVAL_BYTES`, so that short clips cause no query. `now` returns the current time in ms.
 */
export function stopOnLostAccess(
  hasAccess: () => Promise<boolean>,
  now: () => number,
): TransformStream<Uint8Array, Uint8Array> {
  let [checkedAt, sentBytes] = [now(), 0]
  return new TransformStream<Uint8Array, Uint8Array>({
    async transform(bytes, controller) {
      if (now() - checkedAt >= ACCESS_CHECK_INTERVAL_MS || sentBytes >= ACCESS_CHECK_INTERVAL_BYTES) {
        if (!(await hasAccess())) throw new Error('The access to this file has ended.')
        ;[checkedAt, sentBytes] = [now(), 0]
      }
      sentBytes += bytes.byteLength
      controller.enqueue(bytes)
    },
  })
}
