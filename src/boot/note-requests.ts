import type { Exchange } from '../services/logged-fetch.ts'
import { whenIdle } from './idle.ts'

/** Collects what the page asks for and hands it on when there is time: to the action log, and to error reports. */
const waiting: Exchange[] = []
let hand: ((exchanges: readonly Exchange[]) => void) | null = null
let isPlanned = false

export function noteRequest(exchange: Exchange): void {
  waiting.push(exchange)
  if (isPlanned) return
  isPlanned = true
  whenIdle(() => void handOver(), 5000)
}

async function handOver(): Promise<void> {
  hand ??= (await import('./record-requests.ts')).recordRequests
  flush()
}

function flush(): void {
  isPlanned = false
  if (hand && waiting.length > 0) hand(waiting.splice(0))
}

addEventListener('pagehide', flush)
