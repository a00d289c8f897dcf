import type { EarlySocket } from './early-exchange.ts'

/**
 * Returns true if an early socket has used the ticket of this signaling URL and is closed, because no player took the
 * socket over in time.
 */
export function isSpent(signalingUrl: string): boolean {
  for (const [address, { socket }] of window.earlySockets ?? [])
    if (address.startsWith(signalingUrl)) return socket.readyState > WebSocket.OPEN
  return false
}

/** Returns the early socket of a URL if it is still usable, else a new one. */
export function openSocket(address: string): EarlySocket {
  const early = window.earlySockets?.get(address)
  window.earlySockets?.delete(address)
  if (early && early.socket.readyState <= WebSocket.OPEN) return early
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  return { socket, missed: [] }
}
