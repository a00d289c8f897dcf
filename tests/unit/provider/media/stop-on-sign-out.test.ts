import { expect, test } from 'vitest'
import { stopOnSignOut } from '../../../../provider/media/stop-on-sign-out.ts'

const CHECK_INTERVAL_MS = 2000

/**
 * Sends one-byte chunks at these times (ms) while the sign-in is valid until `endsAt`. Returns the number of chunks
 * that arrived, the number of sign-in checks, and whether the stream was cut.
 */
async function sendChunks(
  times: readonly number[],
  endsAt: number,
): Promise<{ came: number; looks: number; broken: boolean }> {
  let [now, looks, came] = [0, 0, 0]
  const isSignInValid = () => {
    looks += 1
    return Promise.resolve(now < endsAt)
  }
  const { readable, writable } = stopOnSignOut(isSignInValid, () => now)
  const [reader, writer] = [readable.getReader(), writable.getWriter()]
  for (const time of times) {
    now = time
    writer.write(new Uint8Array(1)).catch(() => undefined)
    try {
      await reader.read()
    } catch {
      return { came, looks, broken: true }
    }
    came += 1
  }
  return { came, looks, broken: false }
}

test('a stream is cut within 5 s after its sign-in ends, whatever it was sending', async () => {
  for (const endsAt of [0, 1, 1999, 2000, 2001, 60_000]) {
    const times = Array.from({ length: 1000 }, (_, n) => n * 100)
    const { came, broken } = await sendChunks(times, endsAt)
    expect(broken).toBe(true)
    expect((came - 1) * 100 - endsAt).toBeLessThan(CHECK_INTERVAL_MS)
  }
})

test('a stream that was not read for long is rechecked before the next byte', async () => {
  expect(await sendChunks([0, 10, 3_600_000], 20)).toEqual({ came: 2, looks: 1, broken: true })
})

test('a short stream is not rechecked; a long one is rechecked every two seconds', async () => {
  expect(await sendChunks([0, 500, 1999], Infinity)).toEqual({ came: 3, looks: 0, broken: false })
  const minute = Array.from({ length: 600 }, (_, n) => n * 100)
  expect(await sendChunks(minute, Infinity)).toEqual({ came: 600, looks: 29, broken: false })
})
