import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { downloadInChunks } from '../../../src/services/resumable-download.ts'

const FILE_BYTES = randomBytes(20 * 1024 * 1024)
let server: Server | undefined
afterEach(() => server?.close())

/**
 * Serves ranges of the file. `getFailure` gets the request index (from 0). It returns an error status, `cut` to drop
 * the connection, or undefined to serve the range.
 */
async function serveFile(getFailure: (nth: number) => number | 'cut' | undefined): Promise<string> {
  let nth = 0
  server = createServer((request, response) => {
    const failure = getFailure(nth++)
    const [, from = 0, to = 0] = (/bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []).map(Number)
    if (typeof failure === 'number') return void response.writeHead(failure).end()
    response.writeHead(206, { 'content-length': to + 1 - from })
    if (failure !== 'cut') return void response.end(FILE_BYTES.subarray(from, to + 1))
    response.write(FILE_BYTES.subarray(from, from + 1000), () => response.destroy())
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function downloadFile(url: string, signal = new AbortController().signal) {
  const retries: boolean[] = []
  const shares: number[] = []
  const blob = await downloadInChunks({
    bytes: FILE_BYTES.length,
    getUrl: (again) => (retries.push(again), Promise.resolve(url)),
    onProgress: (share) => shares.push(share),
    signal,
    wait: () => Promise.resolve(),
  })
  return { bytes: blob && Buffer.from(await blob.arrayBuffer()), retries, shares }
}

describe('chunked download', () => {
  test('is complete and reports its progress', async () => {
    const { bytes, shares } = await downloadFile(await serveFile(() => undefined))
    expect(bytes?.equals(FILE_BYTES)).toBe(true)
    expect(shares.at(-1)).toBe(1)
    expect(shares.length).toBe(3)
  })

  test('resumes after a cut connection, and requests a new URL when the old one has expired', async () => {
    const failures = new Map<number, number | 'cut'>([
      [1, 'cut'],
      [2, 403],
    ])
    const { bytes, retries } = await downloadFile(await serveFile((nth) => failures.get(nth)))
    expect(bytes?.equals(FILE_BYTES)).toBe(true)
    expect(retries).toEqual([false, true])
  })

  test('gives up after six failures of one chunk', async () => {
    const { bytes } = await downloadFile(await serveFile(() => 500))
    expect(bytes).toBeNull()
  })

  test('ends immediately when aborted', async () => {
    const ending = new AbortController()
    ending.abort()
    const { bytes } = await downloadFile(await serveFile(() => undefined), ending.signal)
    expect(bytes).toBeNull()
  })
})
