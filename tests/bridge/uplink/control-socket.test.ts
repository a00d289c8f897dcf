import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { BridgeMessage } from '../../../contract/bridge/bridge-protocol.ts'
import { Control } from '../../../bridge/uplink/control-socket.ts'
import { ProviderClient } from '../../../bridge/uplink/provider-client.ts'
import { signBridgeRequest } from '../../../bridge/uplink/request-signing.ts'
import { patience } from '../../support/patience.ts'

const key = Buffer.alloc(32, 7)
const hello: BridgeMessage = { type: 'hello', version: '1', cameras: [] }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  vi.restoreAllMocks()
})

async function listen(port = 0): Promise<WebSocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port })
  await once(server, 'listening')
  return server
}

async function end(server: WebSocketServer): Promise<void> {
  for (const socket of server.clients) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
}

function connect(port: number) {
  const messages: string[] = []
  const client = new ProviderClient(`http://127.0.0.1:${port}`, { bridgeId: 'b1', key })
  const control = new Control(client, { hello: () => hello, message: (message) => void messages.push(message.type) })
  ends.push(() => control.stop())
  control.start()
  return { client, control, messages }
}

test('a bridge signs its control socket, sends hello and receives the welcome', async () => {
  const server = await listen()
  ends.push(() => end(server))
  const { port } = server.address() as AddressInfo
  const { messages } = connect(port)
  const [socket, request] = (await once(server, 'connection')) as [WebSocket, import('node:http').IncomingMessage]
  const time = Number(request.headers['x-bridge-time'])
  expect(request.headers['x-bridge-signature']).toBe(signBridgeRequest(key, 'GET', '/bridge/v1/control', time, ''))
  const [first] = (await once(socket, 'message')) as [Buffer]
  expect(JSON.parse(String(first))).toEqual(hello)
  socket.send(JSON.stringify({ type: 'welcome', now: Date.now(), homes: [] }))
  socket.send('{"type":"nonsense"}')
  socket.send(JSON.stringify({ type: 'pong', now: 1 }))
  await vi.waitUntil(() => messages.length === 2, patience)
  expect(messages).toEqual(['welcome', 'pong'])
})

test('one line reports that the provider is down, and the bridge reconnects when it returns', async () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const server = await listen()
  const { port } = server.address() as AddressInfo
  connect(port)
  await once(server, 'connection')
  await end(server)
  const next = await listen(port)
  ends.push(() => end(next))
  const [socket] = (await once(next, 'connection')) as [WebSocket]
  const [first] = (await once(socket, 'message')) as [Buffer]
  expect(JSON.parse(String(first))).toEqual(hello)
  const unreachableLines = lines.mock.calls
    .map(([line]) => String(line))
    .filter((line) => line.includes('cannot be reached'))
  expect(unreachableLines).toEqual(['bridge: The provider cannot be reached; the bridge keeps trying.\n'])
})

test('a bridge with a wrong clock learns the time from the rejection and connects', async () => {
  const server = await listen()
  ends.push(() => end(server))
  const ahead = Date.now() + 3_600_000
  let rejectedCount = 0
  server.options.verifyClient = ({ req }, done) => {
    const good = Math.abs(Number(req.headers['x-bridge-time']) - ahead) < 60_000
    if (!good) rejectedCount++
    done(good, 401, 'Unauthorized', { 'x-provider-time': String(ahead) })
  }
  connect((server.address() as AddressInfo).port)
  await once(server, 'connection')
  expect(rejectedCount).toBe(1)
})

test('a bridge reconnects immediately after its computer slept, and leaves no other connection open', async () => {
  const server = await listen()
  ends.push(() => end(server))
  const { messages, control } = connect((server.address() as AddressInfo).port)
  const [first] = (await once(server, 'connection')) as [WebSocket]
  const closed = once(first, 'close')
  const connected = once(server, 'connection')
  control.renew()
  // Requests another connection while the bridge is still connecting; only one connection must remain.
  control.renew()
  const [[second]] = (await Promise.all([connected, closed])) as [[WebSocket], unknown]
  second.send(JSON.stringify({ type: 'pong', now: 1 }))
  await vi.waitUntil(() => messages.length === 1, patience)
  expect(server.clients.size).toBe(1)
})
