import { atom, type ReadableAtom } from 'nanostores'
import * as v from 'valibot'
import { feedMessage, type FeedMessage } from '../../../contract/events/feed.ts'

/** State of the feed connection. `waiting`: the connection failed or broke, and a retry is scheduled. */
export type FeedState = 'closed' | 'connecting' | 'open' | 'waiting'
export type FeedListener = (message: FeedMessage) => void

export interface FeedConnection {
  readonly $state: ReadableAtom<FeedState>
  open(): void
  close(): void
  subscribe(listener: FeedListener): () => void
}

export interface FeedDependencies {
  /** Returns a new single-use URL for the WebSocket; null if no URL is available now. */
  fetchUrl: () => Promise<string | null>
  createSocket: (url: string) => WebSocket
  /** Returns a number from 0 to 1 for jitter, which spreads the retries of many pages after an outage. */
  random: () => number
}

/**
 * Number of `hello` messages, and arrival time of the last one in ms since page load. The store changes after the feed
 * listeners have run.
 */
export const $feedHello = atom({ count: 0, at: 0 })

const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 30_000

/**
 * Returns the delay in ms before a retry. `failures`: number of earlier retries since the last message. The delay
 * doubles from 1 s to 30 s; jitter reduces it to between half and the full delay.
 */
export function computeFeedRetryMs(failures: number, random: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + random / 2)
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
 * Creates the home feed over one WebSocket that reconnects automatically. Each connection starts with a `hello`
 * message, after which listeners with a list should request missed data.
 */
export function createFeedConnection({ fetchUrl, createSocket, random }: FeedDependencies): FeedConnection {
  const $state = atom<FeedState>('closed')
  const listeners = new Set<FeedListener>()
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let latestAttempt = 0

  async function connectOnce(): Promise<void> {
    const attemptNumber = ++latestAttempt
    $state.set('connecting')
    const url = await fetchUrl().catch(() => null)
    if (attemptNumber !== latestAttempt) return
    if (url === null) return retry()
    const next = createSocket(url)
    socket = next
    next.onopen = () => $state.set('open')
    next.onmessage = ({ data }) => {
      const message = parseFeedMessage(data)
      if (message === null) return
      failures = 0
      for (const listener of listeners) listener(message)
      if (message.type === 'hello') $feedHello.set({ count: $feedHello.get().count + 1, at: performance.now() })
    }
    next.onclose = () => socket === next && retry()
  }

  function retry(): void {
    socket = null
    $state.set('waiting')
    timer = setTimeout(() => void connectOnce(), computeFeedRetryMs(failures, random()))
    failures += 1
  }

  return {
    $state,
    open() {
      if ($state.get() === 'closed') void connectOnce()
    },
    close() {
      clearTimeout(timer)
      latestAttempt += 1
      const currentSocket = socket
      socket = null
      $state.set('closed')
      currentSocket?.close()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
