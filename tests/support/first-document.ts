import { runInNewContext } from 'node:vm'
import { renderInlineScript } from '../../src/boot/early/inline-script.ts'
import type { EarlyExchange } from '../../src/early/early-exchange.ts'
import type { AnyEarlyRequest } from '../../src/early/early-request.ts'

export const HOMES_RESPONSE = {
  code: 1,
  data: [
    { home_id: 'h-shared', role: 2, name: 'Theirs' },
    { home_id: 'h-mine', role: 1, name: 'Mine' },
  ],
}
export const DEVICES_RESPONSE = {
  code: 1,
  data: {
    device_list: [
      { device_id: 'A1', device_model: 'PLV1', nickname: 'Door', device_order: 1, role: 1, device_category: 'camera' },
      { device_id: 'B2', device_model: 'PLV1', nickname: 'Yard', device_order: 2, role: 1, device_category: 'camera' },
    ],
    sort_type: 0,
    sort_direction: 0,
  },
}
export const SIGNED_IN_COOKIES = 'signed_in=1; XSRF-TOKEN=a%2Bb'

interface SentRequest {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: unknown
}
export type ResponsesByPath = Record<string, () => Response>

class FakeWebSocket {
  readonly url: string
  onmessage: ((message: unknown) => void) | null = null
  onopen: (() => void) | null = null
  readyState: number = WebSocket.CONNECTING
  closeCount = 0
  constructor(url: string) {
    this.url = url
  }
  close() {
    this.closeCount++
  }
}

class FakeImage {
  src = ''
  fetchPriority = 'auto'
}

/**
 * Creates the browser globals for the inline script of a page with this cookie, storage and server. The script sees no
 * other browser globals.
 */
function createDocument(cookie: string, stored: Record<string, string>, answers: ResponsesByPath, search = '') {
  const requests: SentRequest[] = []
  const timerTasks: (() => void)[] = []
  const window = { MediaSource: { isTypeSupported: () => true } } as unknown as {
    early?: EarlyExchange[]
    earlySockets?: Map<string, { socket: FakeWebSocket; bufferedMessages: unknown[] }>
    pictures?: FakeImage[]
    earlyEvents?: readonly unknown[]
    fillTiles?: Window['fillTiles']
  }
  const context = {
    window,
    document: {
      cookie,
      hidden: false,
      documentElement: { dataset: { environment: 'preview' } },
      querySelector: () => null,
      getElementById: () => null,
    },
    location: { search },
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    sessionStorage: { getItem: (key: string) => sessionStorage.getItem(key) },
    URLSearchParams,
    WebSocket: FakeWebSocket,
    Image: FakeImage,
    Event,
    dispatchEvent: () => true,
    setTimeout: (task: () => void) => timerTasks.push(task),
    fetch: (url: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
      const path = url.split('/').at(-1) ?? ''
      if (path !== 'me') requests.push({ path, headers, body: body && JSON.parse(body) })
      return Promise.resolve((answers[path] ?? (() => Response.json({ code: 1 })))())
    },
  }
  return { requests, timerTasks, window, context }
}

/**
 * Runs the inline script of a page in a fake document and waits until all its requests have responses. `page`: document
 * that the script may read and change.
 */
export async function runInlineScript(
  earlyRequests: readonly AnyEarlyRequest[],
  cookie: string,
  stored: Record<string, string>,
  answers: ResponsesByPath = {
    home: () => Response.json(HOMES_RESPONSE),
    'get-home-devices': () => Response.json(DEVICES_RESPONSE),
  },
  search = '',
  page: Document | null = null,
) {
  const { requests, timerTasks, window, context } = createDocument(cookie, stored, answers, search)
  if (page)
    Object.assign(context.document, {
      readyState: 'complete',
      querySelector: (selector: string) => page.querySelector(selector),
      getElementById: (id: string) => page.getElementById(id),
    })
  runInNewContext(renderInlineScript(earlyRequests), context)
  for (let previousCount = -1; previousCount !== window.early?.length;) {
    previousCount = window.early?.length ?? 0
    await Promise.allSettled(window.early?.map(({ answer }) => answer) ?? [])
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { requests, timerTasks, window }
}
