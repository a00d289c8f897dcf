import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { HelloMessage } from '../../../contract/bridge/bridge-protocol.ts'
import { ControlSocket } from '../../../bridge/uplink/control-socket.ts'
import { LastContact } from '../../../bridge/uplink/last-contact.ts'
import { ProviderClient } from '../../../bridge/uplink/provider-client.ts'
import { signBridgeRequest } from '../../../bridge/uplink/request-signing.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const key = Buffer.alloc(32, 7)
const hello: HelloMessage = { type: 'hello', version: '1', cameras: [] }
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close()
  vi.restoreAllMocks()
})

async function startServer(port = 0): Promise<WebSocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port })
  await once(server, 'listening')
  return server
}

async function close(server: WebSocketServer): Promise<void> {
  for (const socket of server.clients) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
}

function connectBridge(port: number, lastContact?: LastContact) {
  const messages: string[] = []
  const client = new ProviderClient(`http://127.0.0.1:${port}`, { bridgeId: 'b1', key })
  const control = new ControlSocket(client, {
    createHello: () => hello,
    onMessage: (message) => void messages.push(message.type),
    ...(lastContact && { lastContact }),
  })
  cleanups.push(() => control.stop())
  control.start()
  return { client, control, messages }
}

test('a bridge signs its control socket, sends hello and receives the welcome', async () => {
  const server = await startServer()
  cleanups.push(() => close(server))
  const { port } = server.address() as AddressInfo
  const { messages } = connectBridge(port)
  const [socket, request] = (await once(server, 'connection')) as [WebSocket, import('node:http').IncomingMessage]
  const time = Number(request.headers['x-bridge-time'])
  expect(request.headers['x-bridge-signature']).toBe(signBridgeRequest(key, 'GET', '/bridge/v1/control', time, ''))
  const [first] = (await once(socket, 'message')) as [Buffer]
  expect(JSON.parse(String(first))).toEqual(hello)
  socket.send(JSON.stringify({ type: 'welcome', now: Date.now(), homes: [] }))
  socket.send('{"type":"nonsense"}')
  socket.send(JSON.stringify({ type: 'pong', now: 1 }))
  await vi.waitUntil(() => messages.length === 2, WAIT_OPTIONS)
  expect(messages).toEqual(['welcome', 'pong'])
})

test('one line reports that the provider is down, and the bridge reconnects when it returns', async () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const server = await startServer()
  const { port } = server.address() as AddressInfo
  connectBridge(port)
  await once(server, 'connection')
  await close(server)
  const next = await startServer(port)
  cleanups.push(() => close(next))
  const [socket] = (await once(next, 'connection')) as [WebSocket]
  const [first] = (await once(socket, 'message')) as [Buffer]
  expect(JSON.parse(String(first))).toEqual(hello)
  const unreachableLines = lines.mock.calls
    .map(([line]) => String(line))
    .filter((line) => line.includes("can't be reached"))
  expect(unreachableLines).toEqual(["bridge: The provider can't be reached. Retrying…\n"])
})

test('a bridge with a wrong clock learns the time from the rejection and connects', async () => {
  const server = await startServer()
  cleanups.push(() => close(server))
  const providerTimeMs = Date.now() + 3_600_000
  let rejectedCount = 0
  server.options.verifyClient = ({ req }, done) => {
    const isOnTime = Math.abs(Number(req.headers['x-bridge-time']) - providerTimeMs) < 60_000
    if (!isOnTime) rejectedCount++
    done(isOnTime, 401, 'Unauthorized', { 'x-provider-time': String(providerTimeMs) })
  }
  connectBridge((server.address() as AddressInfo).port)
  await once(server, 'connection')
  expect(rejectedCount).toBe(1)
})

test('a bridge reconnects immediately after its computer slept, and leaves no other connection open', async () => {
  const server = await startServer()
  cleanups.push(() => close(server))
  const { messages, control } = connectBridge((server.address() as AddressInfo).port)
  const [first] = (await once(server, 'connection')) as [WebSocket]
  const closed = once(first, 'close')
  const connected = once(server, 'connection')
  control.renew()
  // Requests another connection while the bridge is still connecting; only one connection must remain.
  control.renew()
  const [[second]] = (await Promise.all([connected, closed])) as [[WebSocket], unknown]
  second.send(JSON.stringify({ type: 'pong', now: 1 }))
  await vi.waitUntil(() => messages.length === 1, WAIT_OPTIONS)
  expect(server.clients.size).toBe(1)
})

test('a bridge that lost power reports its last contact in the first hello of its next start', async () => {
  const server = await startServer()
  const folder = await mkdtemp(join(tmpdir(), 'last-contact-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  cleanups.push(() => close(server))
  const { port } = server.address() as AddressInfo
  const acceptHello = async () => {
    const [socket] = (await once(server, 'connection')) as [WebSocket]
    const [data] = (await once(socket, 'message')) as [Buffer]
    return { socket, message: JSON.parse(String(data)) as HelloMessage }
  }
  connectBridge(port, new LastContact(folder))
  const first = await acceptHello()
  expect(first.message).toEqual(hello)
  const from = Date.now()
  first.socket.send(JSON.stringify({ type: 'welcome', now: Date.now(), homes: [] }))
  // Nothing is written when a bridge loses power, so the file must exist already.
  await vi.waitUntil(async () => (await readFile(join(folder, 'last-contact'), 'utf8').catch(() => '')) !== '', {
    ...WAIT_OPTIONS,
  })
  const until = Date.now()
  const lastContact = new LastContact(folder)
  await lastContact.open()
  connectBridge(port, lastContact)
  const { last_contact = 0 } = (await acceptHello()).message
  // The bridge ignores a clock difference below 200 ms.
  expect(last_contact).toBeGreaterThanOrEqual(from - 200)
  expect(last_contact).toBeLessThanOrEqual(until + 200)
})
