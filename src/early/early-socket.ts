import type { EarlySocket } from './early-exchange.ts'

/**
 * Returns true if an early socket has used the single-use ticket of this signaling URL. The socket was then closed,
 * because no player took it over in time.
 */
export function isTicketUsed(signalingUrl: string): boolean {
  for (const [address, { socket }] of window.earlySockets ?? [])
    if (address.startsWith(signalingUrl)) return socket.readyState > WebSocket.OPEN
  return false
}

/** Returns the early socket of a URL if it is still usable, else a new one. */
export function openSocket(url: string): EarlySocket {
  const early = window.earlySockets?.get(url)
  window.earlySockets?.delete(url)
  if (early && early.socket.readyState <= WebSocket.OPEN) return early
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  return { socket, bufferedMessages: [] }
}
