/** Ends a socket. One that still connects ends as soon as it has: breaking that off is an error that Firefox logs. */
export function closeSocket(socket: WebSocket): void {
  socket.onmessage = socket.onclose = null
  socket.onopen = () => socket.close()
  if (socket.readyState > WebSocket.CONNECTING) socket.close()
}
