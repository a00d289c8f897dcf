import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { downloadInChunks } from '../../../src/services/resumable-download.ts'

const FILE = randomBytes(20 * 1024 * 1024)
let server: Server | undefined
afterEach(() => server?.close())

/**
 * Serves ranges of the file. For the nth request (from 0), `refuse` may return an error status, or `cut` to drop the
 * connection.
 */
async function serve(refuse: (nth: number) => number | 'cut' | undefined): Promise<string> {
  let nth = 0
  server = createServer((request, response) => {
    const odd = refuse(nth++)
    const [, from = 0, to = 0] = (/bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []).map(Number)
    if (typeof odd === 'number') return void response.writeHead(odd).end()
    response.writeHead(206, { 'content-length': to + 1 - from })
    if (odd !== 'cut') return void response.end(FILE.subarray(from, to + 1))
    response.write(FILE.subarray(from, from + 1000), () => response.destroy())
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function load(url: string, signal = new AbortController().signal) {
  const retries: boolean[] = []
  const shares: number[] = []
  const blob = await downloadInChunks({
    bytes: FILE.length,
    address: (again) => (retries.push(again), Promise.resolve(url)),
    progress: (share) => shares.push(share),
    signal,
    wait: () => Promise.resolve(),
  })
  return { bytes: blob && Buffer.from(await blob.arrayBuffer()), asked: retries, shares }
}

describe('chunked download', () => {
  test('is complete and reports its progress', async () => {
    const { bytes, shares } = await load(await serve(() => undefined))
    expect(bytes?.equals(FILE)).toBe(true)
    expect(shares.at(-1)).toBe(1)
    expect(shares.length).toBe(3)
  })

  test('resumes after a cut connection, and requests a new URL when the old one has expired', async () => {
    const odd = new Map<number, number | 'cut'>([
      [1, 'cut'],
      [2, 403],
    ])
    const { bytes, asked: retries } = await load(await serve((nth) => odd.get(nth)))
    expect(bytes?.equals(FILE)).toBe(true)
    expect(retries).toEqual([false, true])
  })

  test('gives up after six failures of one chunk', async () => {
    const { bytes } = await load(await serve(() => 500))
    expect(bytes).toBeNull()
  })

  test('ends immediately when aborted', async () => {
    const ending = new AbortController()
    ending.abort()
    const { bytes } = await load(await serve(() => undefined), ending.signal)
    expect(bytes).toBeNull()
  })
})
