import { describe, expect, test } from 'vitest'
import { BodyTooLargeError, readBytes, readText } from '../../../../contract/wire/body-limits.ts'
import { extractFacts } from '../../../support/facts.ts'

function createBody(chunkCount: number, headers: Record<string, string> = {}) {
  const progress = { pulledChunks: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (progress.pulledChunks === chunkCount) return controller.close()
        progress.pulledChunks += 1
        controller.enqueue(new Uint8Array(10).fill(97))
      },
      cancel() {
        progress.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { progress, message: { headers: new Headers(headers), body } }
}

describe('body with a size limit', () => {
  test.each([0, 1, 3])('of %d chunks is read in full within its limit', async (pieces) => {
    const { message, progress } = createBody(pieces)
    expect(await readText(message, 30)).toBe('a'.repeat(10 * pieces))
    expect(progress).toEqual({ pulledChunks: pieces, cancelled: false })
  })

  test('is read no further and canceled once it exceeds the limit', async () => {
    const { message, progress } = createBody(1_000_000)
    await expect(readBytes(message, 30)).rejects.toThrow(BodyTooLargeError)
    expect(progress).toEqual({ pulledChunks: 4, cancelled: true })
  })

  test('is counted, whatever length it announces', async () => {
    const { message, progress } = createBody(1_000_000, { 'content-length': '5' })
    await expect(readBytes(message, 30)).rejects.toThrow(BodyTooLargeError)
    expect(progress).toEqual({ pulledChunks: 4, cancelled: true })
  })

  test('is not read if it announces more than its limit', async () => {
    const { message, progress } = createBody(1, { 'content-length': '31' })
    await expect(readBytes(message, 30)).rejects.toThrow(BodyTooLargeError)
    expect(progress).toEqual({ pulledChunks: 0, cancelled: true })
  })

  test('is empty if missing', async () => {
    expect(await readBytes(new Response(null), 30)).toEqual(new Uint8Array(0))
  })

  test('fails with the error of its stream if the stream breaks off', async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.error(new Error('lost')),
    })
    await expect(readBytes({ headers: new Headers(), body }, 30)).rejects.toThrow('lost')
  })

  test('is rejected with a message that names the limit', () => {
    expect(extractFacts(new BodyTooLargeError(64 * 1024).message)).toEqual(['64 KB'])
  })
})
