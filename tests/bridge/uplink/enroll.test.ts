import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { enrollBridge } from '../../../bridge/uplink/enroll.ts'
import { readIdentity } from '../../../bridge/uplink/bridge-identity.ts'

const BRIDGE_KEY = Buffer.alloc(32, 5).toString('base64url')
let dataFolder = ''
const cleanups: (() => unknown)[] = []
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'enrol-'))
})
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
  await rm(dataFolder, { recursive: true, force: true })
})

async function startProvider(status: number, body: unknown, headers: Record<string, string> = {}) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += String(chunk)))
    request.on('end', () => {
      requests.push(`${request.method} ${request.url} ${text}`)
      response.writeHead(status, headers).end(JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  cleanups.push(() => server.close())
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

test('an enrollment code becomes an identity that only its owner can read', async () => {
  const { origin, requests } = await startProvider(200, {
    code: 200,
    data: { bridge_id: 'b7', key: BRIDGE_KEY },
  })
  const folder = join(dataFolder, 'new')
  await enrollBridge(origin, folder, 'abcd-efgh', 'Summer house')
  expect(requests).toEqual(['POST /bridge/v1/enrol {"code":"abcd-efgh","name":"Summer house"}'])
  expect(await readIdentity(folder)).toEqual({ bridgeId: 'b7', key: Buffer.alloc(32, 5) })
  expect((await stat(join(folder, 'bridge.key'))).mode & 0o777).toBe(0o600)
})

test('enrollment does not change a folder that already belongs to a bridge', async () => {
  const { origin, requests } = await startProvider(200, {
    code: 200,
    data: { bridge_id: 'b7', key: BRIDGE_KEY },
  })
  await enrollBridge(origin, dataFolder, 'one', 'A')
  const before = await readFile(join(dataFolder, 'bridge.key'), 'utf8')
  await expect(enrollBridge(origin, dataFolder, 'two', 'B')).rejects.toThrow(/a hub already uses this folder/)
  expect([requests.length, await readFile(join(dataFolder, 'bridge.key'), 'utf8')]).toEqual([1, before])
})

test('a wrong code and too many attempts each produce a readable sentence', async () => {
  await expect(enrollBridge((await startProvider(404, {})).origin, dataFolder, 'x', 'A')).rejects.toThrow(
    /older than ten minutes/,
  )
  const busy = await startProvider(429, {}, { 'retry-after': '30' })
  await expect(enrollBridge(busy.origin, dataFolder, 'x', 'A')).rejects.toThrow(/Wait 30 seconds/)
})

test('an unreachable provider produces a readable sentence', async () => {
  await expect(enrollBridge('http://127.0.0.1:9', dataFolder, 'x', 'A')).rejects.toThrow(/can't be reached/)
})
