import type { EarlySocket } from './early-exchange.ts'

/**
 * Returns true if an early socket of this signaling URL has closed before a player took it over. The single-use ticket
 * of the URL then counts as used.
 */
export function isTicketUsed(signalingUrl: string): boolean {
  for (const [url, { socket }] of window.earlySockets ?? [])
    if (url.startsWith(signalingUrl)) return socket.readyState > WebSocket.OPEN
  return false
}

/**
 * Returns the early socket of a URL if it is connecting or open, else a new socket. An early socket is returned at most
 * once.
 */
export function openSocket(url: string): EarlySocket {
  const early = window.earlySockets?.get(url)
  window.earlySockets?.delete(url)
  if (early && early.socket.readyState <= WebSocket.OPEN) return early
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  return { socket, bufferedMessages: [] }
}
