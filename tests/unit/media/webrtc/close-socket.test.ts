import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import type { LiveStream } from '../../../../contract/live/live-calls.ts'
import { closeSocket, WebRtcSession, type WebRtcSessionHooks } from '../../../../src/media/webrtc/webrtc-session.ts'
import { WAIT_OPTIONS } from '../../../support/patience.ts'

/** Opens a WebSocket server that delays each upgrade until `letIn` is called, and then sends `hello`. */
async function openServer() {
  const http = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  const upgradeRequested = Promise.withResolvers<undefined>()
  const allowed = Promise.withResolvers<undefined>()
  const closed = Promise.withResolvers<number>()
  http.on('upgrade', (request, tcp, head) => {
    upgradeRequested.resolve(undefined)
    void allowed.promise.then(() =>
      sockets.handleUpgrade(request, tcp, head, (socket) => {
        socket.on('close', closed.resolve)
        socket.send('hello')
      }),
    )
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
  const stop = () => {
    for (const socket of sockets.clients) socket.terminate()
    http.close()
  }
  return {
    url,
    upgradeRequested: upgradeRequested.promise,
    allowUpgrade: () => allowed.resolve(undefined),
    closed: closed.promise,
    stop,
  }
}

function connectClient(url: string) {
  const socket = new WebSocket(url)
  const errors: unknown[] = []
  const listener = vi.fn()
  const ended = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  socket.addEventListener('error', (error) => errors.push(error))
  socket.onmessage = socket.onclose = socket.onopen = listener
  return { socket, errors, listener, ended }
}

describe('closing a socket', () => {
  let stop = () => {}
  afterEach(() => {
    stop()
    vi.unstubAllGlobals()
  })

  test('waits while the socket is connecting, so the aborted connection is not a page error', async () => {
    const server = await openServer()
    stop = server.stop
    const { socket, errors, listener, ended } = connectClient(server.url)
    await server.upgradeRequested
    closeSocket(socket)
    expect(socket.readyState).toBe(WebSocket.CONNECTING)
    server.allowUpgrade()
    expect(await server.closed).toBe(1005)
    expect(await ended).toBe(1005)
    expect(errors).toEqual([])
    expect(listener).not.toHaveBeenCalled()
  })

  test('closes an open socket immediately, and its listeners receive nothing more', async () => {
    const server = await openServer()
    stop = server.stop
    server.allowUpgrade()
    const { socket, errors, listener, ended } = connectClient(server.url)
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2), WAIT_OPTIONS)
    closeSocket(socket)
    expect(socket.readyState).toBe(WebSocket.CLOSING)
    expect(await ended).toBe(1005)
    expect(errors).toEqual([])
    expect(listener).toHaveBeenCalledTimes(2)
  })

  test('also ends an attempt to watch a camera', async () => {
    const server = await openServer()
    stop = server.stop
    const errors: unknown[] = []
    const ErrorRecordingSocket = class extends WebSocket {
      constructor(url: string) {
        super(url)
        this.addEventListener('error', (error) => errors.push(error))
      }
    }
    vi.stubGlobal('window', {})
    vi.stubGlobal('WebSocket', ErrorRecordingSocket)
    const stream = { signalling_url: `${server.url}/?ticket=1`, battery: false } as LiveStream
    const session = new WebRtcSession(stream, {} as WebRtcSessionHooks, true)
    await server.upgradeRequested
    session.close()
    server.allowUpgrade()
    expect(await server.closed).toBe(1005)
    expect(errors).toEqual([])
  })
})
