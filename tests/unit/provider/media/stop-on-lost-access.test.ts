import { expect, test } from 'vitest'
import { ACCESS_CHECK_INTERVAL_MS, stopOnLostAccess } from '../../../../provider/media/stop-on-lost-access.ts'

/**
 * Sends one-byte chunks at these times (ms) while the access lasts until `endsAt`. Returns the number of chunks
 * that arrived, the number of checks, and whether the stream was cut.
 */
async function sendChunks(
  times: readonly number[],
  endsAt: number,
): Promise<{ receivedChunks: number; checkCount: number; isCut: boolean }> {
  let [now, checkCount, receivedChunks] = [0, 0, 0]
  const hasAccess = () => {
    checkCount += 1
    return Promise.resolve(now < endsAt)
  }
  const { readable, writable } = stopOnLostAccess(hasAccess, () => now)
  const [reader, writer] = [readable.getReader(), writable.getWriter()]
  for (const time of times) {
    now = time
    writer.write(new Uint8Array(1)).catch(() => undefined)
    try {
      await reader.read()
    } catch {
      return { receivedChunks, checkCount, isCut: true }
    }
    receivedChunks += 1
  }
  return { receivedChunks, checkCount, isCut: false }
}

test('a stream is cut within 5 s after the access ends, whatever it was sending', async () => {
  expect(ACCESS_CHECK_INTERVAL_MS).toBeLessThanOrEqual(5000)
  for (const endsAt of [0, 1, 1999, 2000, 2001, 60_000]) {
    const times = Array.from({ length: 1000 }, (_, n) => n * 100)
    const { receivedChunks, isCut } = await sendChunks(times, endsAt)
    expect(isCut).toBe(true)
    expect((receivedChunks - 1) * 100 - endsAt).toBeLessThan(ACCESS_CHECK_INTERVAL_MS)
  }
})

test('a stream that was not read for long is rechecked before the next byte', async () => {
  expect(await sendChunks([0, 10, 3_600_000], 20)).toEqual({ receivedChunks: 2, checkCount: 1, isCut: true })
})

test('a short stream is not rechecked; a long one is rechecked every two seconds', async () => {
  expect(await sendChunks([0, 500, 1999], Infinity)).toEqual({ receivedChunks: 3, checkCount: 0, isCut: false })
  const minute = Array.from({ length: 600 }, (_, n) => n * 100)
  expect(await sendChunks(minute, Infinity)).toEqual({ receivedChunks: 600, checkCount: 29, isCut: false })
})
