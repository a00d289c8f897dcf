import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { describer } from '../../../contract/bridge/event-descriptions.ts'
import { getEvent } from '../../../contract/events/event-calls.ts'
import type { Event } from '../../../contract/events/events.ts'
import { createBridgeEvent, openNeighborhood, TestBridge, type Neighborhood } from '../../support/home.ts'

const now = Date.now()

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a', { nickname: 'Front door' })
  await neighborhood.a.bridge.register('yard_a', { nickname: 'Backyard', device_order: 2 })
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

const readEvent = async (event_id: string): Promise<Event> =>
  (await neighborhood.call(neighborhood.a, getEvent, { device_id: 'door_a', event_id })).body.data

describe('description validation', () => {
  const description = {
    device_id: 'door_a',
    moments: [{ at_s: 3, text: 'A fox.' }],
    tags: ['4', '101'],
    values: ['person'],
    by: { kind: 'model', model: 'watcher 1', at: now },
  }
  const postStatus = async (event_id: string, change: object, bridge = neighborhood.a.bridge) =>
    (await bridge.send('POST', BRIDGE_PATHS.moments, { event_id, ...description, ...change })).status

  test('rejects an unknown event and an event of another camera', async () => {
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'mine', { title: 'Motion', tags: ['4'], event_values: [] }),
    )
    expect(await postStatus('unknown', {})).toBe(404)
    expect(await postStatus('mine', { device_id: 'yard_a' })).toBe(404)
    expect(await postStatus('mine', { device_id: 'nowhere' })).toBe(404)
  })

  test('rejects another bridge and a bridge with a wrong key', async () => {
    expect(await postStatus('mine', {}, neighborhood.b.bridge)).toBe(404)
    expect(await postStatus('mine', {}, new TestBridge(neighborhood.a.bridge.origin, neighborhood.a.bridge.id))).toBe(
      401,
    )
    expect(await readEvent('mine')).toMatchObject({ title: 'Motion', tags: ['4'] })
  })

  test('rejects a malformed or oversized description, and one with an impossible time', async () => {
    const sentence = { at_s: 0, text: 'A fox.' }
    const by = { kind: 'model', model: 'watcher', at: now }
    const wrong: object[] = [
      { moments: Array.from({ length: 21 }, () => sentence) },
      { moments: [{ at_s: -1, text: 'A fox.' }] },
      { moments: [{ at_s: 0, text: 'x'.repeat(301) }] },
      { moments: 'A fox.' },
      { moments: undefined },
      { tags: undefined },
      { values: ['x'.repeat(81)] },
      { tags: Array.from({ length: 51 }, () => '4') },
      { title: 'x'.repeat(121) },
      { by: undefined },
      { by: { ...by, kind: 'oracle' } },
      { by: { ...by, model: ' ' } },
      { by: { ...by, at: 'now' } },
    ]
    for (const change of wrong) expect([change, await postStatus('mine', change)]).toEqual([change, 400])
    expect(await postStatus('mine', { by: { ...by, at: Date.now() + 3_600_000 } })).toBe(422)
    expect(await postStatus('mine', { by: { ...by, at: 1 } })).toBe(422)
    expect(await postStatus('mine', { pad: 'x'.repeat(300_000) })).toBe(413)
    expect(await readEvent('mine')).toMatchObject({ title: 'Motion', tags: ['4'] })
  })

  test('accepts every kind of describer', async () => {
    for (const [n, kind] of describer.entries.kind.options.entries())
      expect(await postStatus('mine', { by: { kind, model: 'any', at: now + n } })).toBe(200)
  })
})
