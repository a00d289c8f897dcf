/** Closes a socket. A connecting socket closes after it opens: Firefox logs an error if the connection is aborted. */
export function closeSocket(socket: WebSocket): void {
  socket.onmessage = socket.onclose = null
  socket.onopen = () => socket.close()
  if (socket.readyState > WebSocket.CONNECTING) socket.close()
}
