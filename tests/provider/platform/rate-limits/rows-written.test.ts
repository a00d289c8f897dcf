import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HEARTBEAT_TEXT } from '../../../../contract/bridge/heartbeat.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'
import { readBilledWork, readWorkUntilIdle, type CountedObject } from '../../../support/billed-work/billed-work.ts'
import { openNeighborhood, type Neighborhood } from '../../../support/home.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({ countsWork: true })
  await neighborhood.a.bridge.register('door_a')
})
afterAll(() => neighborhood.close())

test('100 heartbeats of a hibernating bridge write no row, and neither wake nor run its object', async () => {
  const { bridge } = neighborhood.a
  const { provider } = neighborhood.stage
  const socket = await bridge.openControlSocket()
  socket.send({ type: 'hello', version: '1', cameras: [] })
  await socket.ping()
  const { objectRequests } = await readBilledWork(provider)
  expect(objectRequests['Bridge.webSocketMessage']).toBeGreaterThan(0)
  await readWorkUntilIdle(provider)
  await provider.getWorker().evictDurableObject('Bridge', { name: bridge.id, webSockets: 'hibernate' })
  for (let n = 0; n < 100; n++) socket.send(HEARTBEAT_TEXT)
  await vi.waitUntil(() => socket.countMessages(({ type }) => type === 'pong') === 100)
  const { rowsWritten, ...work } = await readBilledWork(provider)
  expect(rowsWritten['Bridge']).toBeUndefined()
  expect(Object.keys(work.objectRequests).filter((name) => name.startsWith('Bridge.'))).toEqual([])
  await socket.close()
})

test('a nonce writes one row; the first also at most 6 for table and alarm; deleting a minute of nonces, at most 8', async () => {
  const guard = neighborhood.bindings.GUARDS.getByName('user_of_page_load')
  const counted = guard as unknown as CountedObject
  const at = Date.now() - 20 * MINUTE_MS
  const countRows = async (work: () => Promise<unknown>) => {
    await readBilledWork(neighborhood.stage.provider)
    await work()
    return (await readBilledWork(neighborhood.stage.provider)).rowsWritten['Guard'] ?? 0
  }
  const consume = (n: number) => guard.consumeNonce(`${at + n * 1000}1000`, at + n * 1000, Date.now())
  expect(await countRows(() => consume(0))).toBeLessThanOrEqual(7)
  for (let n = 1; n < 60; n++) expect(await countRows(() => consume(n))).toBe(1)
  await guard.consumeNonce(`${Date.now()}2000`, Date.now(), Date.now())
  expect(await countRows(() => counted.runAlarm())).toBeLessThanOrEqual(8)
  // The first nonce is so old that its row was deleted. `parseNonceTime` rejects such nonces.
  expect(await consume(0)).toBe(true)
})

test('a nonce is used once, also after a restart of the provider, and after an upgrade', async () => {
  const at = Date.now()
  const consume = (nonce: string) => neighborhood.bindings.GUARDS.getByName('user_restart').consumeNonce(nonce, at, at)
  expect([await consume(`${at}1000`), await consume(`${at}1000`), await consume(`${at}1001`)]).toEqual([
    true,
    false,
    true,
  ])
  const storage = await neighborhood.stage.provider
    .getWorker()
    .getDurableObjectStorage('GUARDS', { name: 'user_restart' })
  await storage.exec('CREATE TABLE nonces (nonce TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID')
  await storage.exec('INSERT INTO nonces VALUES (?, ?)', `${at}1002`, at)
  await neighborhood.stage.provider.restart({ ...neighborhood.stage.env })
  const { GUARDS } = (await neighborhood.stage.provider.getWorker().getEnv()) as Neighborhood['bindings']
  const restarted = GUARDS.getByName('user_restart')
  const answers = []
  for (const n of [1000, 1001, 1002, 1003]) answers.push(await restarted.consumeNonce(`${at}${n}`, at, at))
  expect(answers).toEqual([false, false, false, true])
})
