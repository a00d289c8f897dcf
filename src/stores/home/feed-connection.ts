import { atom, type ReadableAtom } from 'nanostores'
import * as v from 'valibot'
import { feedMessage, type FeedMessage } from '../../../contract/events/feed.ts'

/** `waiting`: the connection broke and a retry is scheduled. */
export type FeedState = 'closed' | 'connecting' | 'open' | 'waiting'
export type FeedListener = (message: FeedMessage) => void

export interface FeedConnection {
  readonly $state: ReadableAtom<FeedState>
  open(): void
  close(): void
  /** Calls `listener` with every message until the returned function is called. */
  on(listener: FeedListener): () => void
}

export interface FeedDeps {
  /** Returns a new single-use URL, or null if none is available now. */
  address: () => Promise<string | null>
  connect: (address: string) => WebSocket
  /** Returns a number from 0 to 1, which spreads the retries of many pages after an outage. */
  random: () => number
}

/**
 * Number of `hello` messages, and arrival time of the last one, ms since page load. Updated after the listeners were
 * called.
 */
export const $greeting = atom({ count: 0, at: 0 })

const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 30_000

/**
 * Returns the delay in ms before attempt `failures + 1`. The delay doubles from 1 s to 30 s; jitter reduces it to
 * between half and the full delay.
 */
export function retryDelay(failures: number, random: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + random / 2)
}

/** Parses a feed message; null if invalid. */
export function parseFeedMessage(data: unknown): FeedMessage | null {
  if (typeof data !== 'string') return null
  try {
    const parsed = v.safeParse(feedMessage, JSON.parse(data))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

/**
 * Home feed over one WebSocket that reconnects automatically. Each connection starts with `hello`: listeners that keep
 * a list then request what they may have missed.
 */
export function createFeedConnection({ address, connect, random }: FeedDeps): FeedConnection {
  const $state = atom<FeedState>('closed')
  const listeners = new Set<FeedListener>()
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let latest = 0

  async function attempt(): Promise<void> {
    const mine = ++latest
    $state.set('connecting')
    const url = await address().catch(() => null)
    if (mine !== latest) return
    if (url === null) return retry()
    const next = connect(url)
    socket = next
    next.onopen = () => $state.set('open')
    next.onmessage = ({ data }) => {
      const message = parseFeedMessage(data)
      if (message === null) return
      failures = 0
      for (const listener of listeners) listener(message)
      if (message.type === 'hello') $greeting.set({ count: $greeting.get().count + 1, at: performance.now() })
    }
    next.onclose = () => socket === next && retry()
  }

  function retry(): void {
    socket = null
    $state.set('waiting')
    timer = setTimeout(() => void attempt(), retryDelay(failures, random()))
    failures += 1
  }

  return {
    $state,
    open() {
      if ($state.get() === 'closed') void attempt()
    },
    close() {
      clearTimeout(timer)
      latest += 1
      const last = socket
      socket = null
      $state.set('closed')
      last?.close()
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
