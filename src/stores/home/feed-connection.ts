import { atom, type ReadableAtom } from 'nanostores'
import * as v from 'valibot'
import {
  FEED_CHECK_TEXT,
  feedSocketMessage,
  type FeedCheckResponse,
  type FeedMessage,
} from '../../../contract/events/feed.ts'
import { PAGE_CHECKS_PARAMETER } from '../../../contract/wire/constants.ts'

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
/** Time after which a check without a response is requested again. */
const CHECK_TIMEOUT_MS = 5000

/**
 * Returns the delay in ms before a retry. `failures`: number of earlier retries since the last message. The delay
 * doubles from 1 s to 30 s; jitter reduces it to between half and the full delay.
 */
export function computeFeedRetryMs(failures: number, random: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + random / 2)
}

/** Parses a feed message; null if invalid. */
export function parseFeedMessage(data: unknown): FeedMessage | FeedCheckResponse | null {
  if (typeof data !== 'string') return null
  try {
    const parsed = v.safeParse(feedSocketMessage, JSON.parse(data))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

/**
 * Returns a timer that calls `requestCheck` after `schedule`, and again every `CHECK_TIMEOUT_MS` until the next call of
 * `schedule`. A hidden page requests no check until it is visible again.
 */
function createCheckTimer(requestCheck: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const schedule = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(requestIfVisible, delayMs)
  }
  const requestIfVisible = () => {
    if (timer === undefined || document.hidden) return
    requestCheck()
    schedule(CHECK_TIMEOUT_MS)
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  document.addEventListener('visibilitychange', requestIfVisible)
  return { schedule, stop }
}

type CheckTimer = ReturnType<typeof createCheckTimer>

/** Passes a message to the listeners, or a check response to the timer. Returns false if the message is invalid. */
function handleMessage(data: unknown, listeners: ReadonlySet<FeedListener>, checks: CheckTimer): boolean {
  const message = parseFeedMessage(data)
  if (message === null) return false
  if (message.type === 'checked') checks.schedule(message.next_ms)
  else for (const listener of listeners) listener(message)
  if (message.type === 'hello') $feedHello.set({ count: $feedHello.get().count + 1, at: performance.now() })
  return true
}

/**
 * Creates the home feed over one WebSocket that reconnects automatically. Each connection starts with a `hello`
 * message, after which listeners with a list should request missed data. While the page is visible, asks the provider to
 * check its bridges, at the times that the provider names.
 */
export function createFeedConnection({ fetchUrl, createSocket, random }: FeedDependencies): FeedConnection {
  const $state = atom<FeedState>('closed')
  const listeners = new Set<FeedListener>()
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const checks = createCheckTimer(() => socket?.send(FEED_CHECK_TEXT))
  let failures = 0
  let latestAttempt = 0

  async function connectOnce(): Promise<void> {
    const attemptNumber = ++latestAttempt
    $state.set('connecting')
    const url = await fetchUrl().catch(() => null)
    if (attemptNumber !== latestAttempt) return
    if (url === null) return retry()
    const next = createSocket(`${url}&${PAGE_CHECKS_PARAMETER}=1`)
    socket = next
    next.onopen = () => $state.set('open')
    next.onmessage = ({ data }) => {
      if (handleMessage(data, listeners, checks)) failures = 0
    }
    next.onclose = () => socket === next && retry()
  }

  function retry(): void {
    socket = null
    checks.stop()
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
      checks.stop()
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
