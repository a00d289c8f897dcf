import { afterEach, expect, test, vi } from 'vitest'
import { send } from '../../../src/api/http-transport.ts'
import { logRequests } from '../../../src/stores/shell/action-log.ts'
import { xsrfToken } from '../../../src/api/xsrf.ts'
import { downloadLog } from '../../../src/boot/frame/download-action-log.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('CONST-14 a request without its own timeout has none: only its server ends it', async () => {
  const sent: (RequestInit | undefined)[] = []
  const limit = vi.spyOn(AbortSignal, 'timeout')
  const fetcher: typeof fetch = (_, init) => (sent.push(init), Promise.resolve(new Response('{}')))
  await send('/a', {}, { fetch: fetcher })
  await send('/a', {}, { fetch: fetcher, timeout: 15_000 })
  expect(limit.mock.calls).toEqual([[15_000]])
  expect(sent.map((init) => init?.signal?.aborted)).toEqual([false, false])
})

test('CONST-15 the token sent back to the server comes from the cookie `XSRF-TOKEN`', () => {
  document.cookie = 'xsrf=wrong'
  document.cookie = 'XSRF-TOKEN-OLD=wrong'
  expect(xsrfToken()).toBe('')
  document.cookie = `XSRF-TOKEN=${encodeURIComponent('a=b;c')}`
  expect(xsrfToken()).toBe('a=b;c')
})

async function downloadLogs(
  agents: readonly string[],
): Promise<{ browser: string; requests: Record<string, unknown>[] }[]> {
  const saved: Blob[] = []
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ buildId: 'abc1234' })))
  URL.createObjectURL = (blob) => (saved.push(blob as Blob), 'blob:log')
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const agent = vi.spyOn(navigator, 'userAgent', 'get')
  for (const name of agents) {
    agent.mockReturnValue(name)
    await downloadLog()
  }
  const text = await Promise.all(saved.map((blob) => readText(blob)))
  return text.map((log) => JSON.parse(log) as { browser: string; requests: Record<string, unknown>[] })
}

test('CONST-16 a log names the browser in at most 350 characters', async () => {
  const logs = await downloadLogs(['x'.repeat(350), 'x'.repeat(351)])
  expect(logs.map(({ browser }) => browser.length)).toEqual([350, 350])
})

test('ERROR-37 a log says what each status means', async () => {
  const groups = {
    200: 'success',
    304: 'not modified',
    400: 'client error',
    401: 'authenticate',
    403: 'forbidden',
    404: 'not found',
    500: 'server error',
    502: 'bad gateway',
    503: 'service unavailable',
    504: 'gateway timeout',
  }
  const statuses = [...Object.keys(groups).map(Number), 418, 0]
  logRequests(statuses.map((status) => ({ at: 0, method: 'GET', url: '/api/p/x', status, ms: 1 })))
  const [log] = await downloadLogs(['x'])
  expect(log?.requests.map(({ status, means }) => [status, means])).toEqual([
    ...Object.entries(groups).map(([status, means]) => [Number(status), means]),
    [418, undefined],
    [0, undefined],
  ])
})

/** Reads a blob as text, because blobs in jsdom have no `text()`. */
function readText(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.readAsText(blob)
  })
}
