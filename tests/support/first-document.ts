import { runInNewContext } from 'node:vm'
import { firstText } from '../../src/boot/early/inline-script.ts'
import type { EarlyExchange } from '../../src/early/early-exchange.ts'
import type { AnyQuestion } from '../../src/early/early-request.ts'

export const homes = {
  code: 1,
  data: [
    { home_id: 'h-shared', role: 2, name: 'Theirs' },
    { home_id: 'h-mine', role: 1, name: 'Mine' },
  ],
}
export const devices = {
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
export const SIGNED_IN = 'signed_in=1; XSRF-TOKEN=a%2Bb'

interface SentRequest {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: unknown
}
export type Answers = Record<string, () => Response>

/** Fake WebSocket with the members that the inline script uses. */
class Socket {
  readonly address: string
  onmessage: ((message: unknown) => void) | null = null
  onopen: (() => void) | null = null
  readyState: number = WebSocket.CONNECTING
  closed = 0
  constructor(address: string) {
    this.address = address
  }
  close() {
    this.closed++
  }
}

class Picture {
  src = ''
  fetchPriority = 'auto'
}

/**
 * Creates the browser globals for the inline script of a page with this cookie, storage and server. The script sees no
 * other browser globals.
 */
function createDocument(cookie: string, stored: Record<string, string>, answers: Answers, search = '') {
  const requests: SentRequest[] = []
  const late: (() => void)[] = []
  const window = { MediaSource: { isTypeSupported: () => true } } as unknown as {
    early?: EarlyExchange[]
    earlySockets?: Map<string, { socket: Socket; missed: unknown[] }>
    pictures?: Picture[]
  }
  const context = {
    window,
    document: { cookie, hidden: false, documentElement: { dataset: { environment: 'preview' } } },
    location: { search },
    localStorage: { getItem: (key: string) => stored[key] ?? null },
    URLSearchParams,
    WebSocket: Socket,
    Image: Picture,
    setTimeout: (task: () => void) => late.push(task),
    fetch: (url: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
      const path = url.split('/').at(-1) ?? ''
      if (path !== 'me') requests.push({ path, headers, body: body && JSON.parse(body) })
      return Promise.resolve((answers[path] ?? (() => Response.json({ code: 1 })))())
    },
  }
  return { asked: requests, late, window, context }
}

/** Runs the inline script of a page in a fake document until all its requests are answered. */
export async function openDocument(
  questions: readonly AnyQuestion[],
  cookie: string,
  stored: Record<string, string>,
  answers: Answers = { home: () => Response.json(homes), 'get-home-devices': () => Response.json(devices) },
  search = '',
) {
  const { asked: requests, late, window, context } = createDocument(cookie, stored, answers, search)
  runInNewContext(firstText(questions), context)
  for (let before = -1; before !== window.early?.length;) {
    before = window.early?.length ?? 0
    await Promise.allSettled(window.early?.map(({ answer }) => answer) ?? [])
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { asked: requests, late, window }
}
