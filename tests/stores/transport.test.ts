import { afterEach, expect, test, vi } from 'vitest'
import { send } from '../../src/api/transport.ts'
import { xsrfToken } from '../../src/api/xsrf.ts'
import { downloadLog } from '../../src/boot/frame/download-log.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('CONST-14 without a timeout of its own a request has none: it is sent with no signal to end it', async () => {
  const sent: (RequestInit | undefined)[] = []
  const fetcher: typeof fetch = (_, init) => (sent.push(init), Promise.resolve(new Response('{}')))
  await send('/a', {}, { fetch: fetcher })
  await send('/a', {}, { fetch: fetcher, timeout: 15_000 })
  expect(sent[0]?.signal).toBeNull()
  expect(sent[1]?.signal).toBeInstanceOf(AbortSignal)
})

test('CONST-15 what is repeated to the server comes from the cookie `XSRF-TOKEN`', () => {
  document.cookie = 'xsrf=wrong'
  document.cookie = 'XSRF-TOKEN-OLD=wrong'
  expect(xsrfToken()).toBe('')
  document.cookie = `XSRF-TOKEN=${encodeURIComponent('a=b;c')}`
  expect(xsrfToken()).toBe('a=b;c')
})

test('CONST-16 a log names the browser in 350 characters at most', async () => {
  const saved: Blob[] = []
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ buildId: 'abc1234' })))
  URL.createObjectURL = (blob) => (saved.push(blob as Blob), 'blob:log')
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const agent = vi.spyOn(navigator, 'userAgent', 'get')
  for (const length of [350, 351]) {
    agent.mockReturnValue('x'.repeat(length))
    await downloadLog()
  }
  const text = await Promise.all(saved.map((blob) => readText(blob)))
  expect(text.map((one) => (JSON.parse(one) as { browser: string }).browser.length)).toEqual([350, 350])
})

/** jsdom's blobs have no text(). */
function readText(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.readAsText(blob)
  })
}
