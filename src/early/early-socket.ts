import type { EarlySocket } from './early-exchange.ts'

/** Whether the ticket of an address that begins so went to a socket of the document that nobody took over in time. */
export function isSpent(signalingUrl: string): boolean {
  for (const [address, { socket }] of window.earlySockets ?? [])
    if (address.startsWith(signalingUrl)) return socket.readyState > WebSocket.OPEN
  return false
}

/** The socket of an address: the one that the document has opened, if it is still of use, else a new one. */
export function openSocket(address: string): EarlySocket {
  const early = window.earlySockets?.get(address)
  window.earlySockets?.delete(address)
  if (early && early.socket.readyState <= WebSocket.OPEN) return early
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  return { socket, missed: [] }
}
