import { describe, expect, test } from 'vitest'
import { BodyTooLarge, readBytes, readText } from '../../../../contract/wire/body-limits.ts'
import { extractFacts } from '../../../support/facts.ts'

/** Body of `pieces` chunks of ten bytes; records the chunks pulled and a cancellation. */
function createBody(pieces: number, headers: Record<string, string> = {}) {
  const progress = { pulled: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (progress.pulled === pieces) return controller.close()
        progress.pulled += 1
        controller.enqueue(new Uint8Array(10).fill(97))
      },
      cancel() {
        progress.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { told: progress, sent: { headers: new Headers(headers), body } }
}

describe('a body', () => {
  test.each([0, 1, 3])('of %d pieces within its limit is read in full', async (pieces) => {
    const { sent, told: progress } = createBody(pieces)
    expect(await readText(sent, 30)).toBe('a'.repeat(10 * pieces))
    expect(progress).toEqual({ pulled: pieces, cancelled: false })
  })

  test('that goes on past its limit is read no further, and cancelled', async () => {
    const { sent, told: progress } = createBody(1_000_000)
    await expect(readBytes(sent, 30)).rejects.toThrow(BodyTooLarge)
    expect(progress).toEqual({ pulled: 4, cancelled: true })
  })

  test('is counted, whatever length it announces', async () => {
    const { sent, told: progress } = createBody(1_000_000, { 'content-length': '5' })
    await expect(readBytes(sent, 30)).rejects.toThrow(BodyTooLarge)
    expect(progress).toEqual({ pulled: 4, cancelled: true })
  })

  test('that announces more than its limit is not begun', async () => {
    const { sent, told: progress } = createBody(1, { 'content-length': '31' })
    await expect(readBytes(sent, 30)).rejects.toThrow(BodyTooLarge)
    expect(progress).toEqual({ pulled: 0, cancelled: true })
  })

  test('that is not there is empty', async () => {
    expect(await readBytes(new Response(null), 30)).toEqual(new Uint8Array(0))
  })

  test('that breaks off fails as its stream does', async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.error(new Error('lost')),
    })
    await expect(readBytes({ headers: new Headers(), body }, 30)).rejects.toThrow('lost')
  })

  test('that is refused is told the limit in words', () => {
    expect(extractFacts(new BodyTooLarge(64 * 1024).message)).toEqual(['64 KB'])
  })
})
