import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getActivity } from '../../../../contract/account/activity.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { createPurchase, previewPurchase } from '../../../../contract/billing/purchase.ts'
import { getDataExportSize, getDataExportUrl, exportAccountData } from '../../../../contract/account/data-export.ts'
import { deleteEvents } from '../../../../contract/events/timeline.ts'
import { createHome } from '../../../../provider/homes/members/create-home.ts'
import { addCard } from '../../../support/cards.ts'
import {
  type Account,
  addAccount,
  createBridgeEvent,
  openNeighborhood,
  type Neighborhood,
  RECENT_TIME_MS,
} from '../../../support/home.ts'
import { unzip } from '../../../support/unzip.ts'

const BASE_TIME_MS = RECENT_TIME_MS
let neighborhood: Neighborhood
let guest: Account
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  guest = await addAccount(neighborhood.bindings, 'guest')
  await neighborhood.a.bridge.register('door_a', { nickname: 'Front/door' })
  for (const [n, id] of ['c1', 'c2', 'c3'].entries()) {
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', id, makeBytes(n))
    const resource = {
      begin_time: BASE_TIME_MS,
      end_time: BASE_TIME_MS + 9000,
      resource_version: 1,
      resource_type: 's3' as const,
    }
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', id, {
        event_ts: BASE_TIME_MS + n * 60_000,
        clip_object,
        event_resources: [resource],
      }),
    )
  }
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', 'bare', { event_ts: BASE_TIME_MS + 1000, title: '=1+1' }),
  )
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  const { method_id } = await addCard(neighborhood.bindings, neighborhood.a.userId, '4242')
  const hms = { sku: 'hms', level: '', mode: 'monthly', quantity: 1 }
  const { quote } = (await neighborhood.call(neighborhood.a, previewPurchase, hms)).body.data
  await neighborhood.call(neighborhood.a, createPurchase, { ...hms, quote, method_id, intent: 'intent_of_buying_it' })
})
afterAll(() => neighborhood.close())

const makeBytes = (n: number) => Buffer.from(Array.from({ length: 500_000 + n }, (_, i) => (i * (n + 3)) % 251))
const exportData = (account: Account, after = '', zone = 'America/Chicago') =>
  neighborhood.call(account, exportAccountData, { zone, after })
const download = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const hashBytes = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const readThenDisconnect = (url: string, maxBytes: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const clientRequest = request(url, (answer) => {
      const pieces: Buffer[] = []
      answer.on('error', () => undefined)
      answer.on('data', (piece: Buffer) => {
        pieces.push(piece)
        if (pieces.reduce((sum, { length }) => sum + length, 0) < maxBytes) return
        clientRequest.destroy()
        resolve(Buffer.concat(pieces))
      })
    })
    clientRequest.on('error', reject)
    clientRequest.end()
  })

describe('data export', () => {
  test('announces the number of clips, events and invoices and their size beforehand', async () => {
    const { body } = await neighborhood.call(neighborhood.a, getDataExportSize)
    expect(body.data).toEqual({ clips: 3, events: 4, bills: 1, bytes: 1_500_003, about: false, archives: 1 })
  })

  test('is one archive with all clips, an event table, an invoice table and a page per invoice', async () => {
    const { body } = await exportData(neighborhood.a)
    expect(body.data).toMatchObject({ state: 'ready', clips: 3, next: null })
    const { answer, bytes } = await download(body.data.url)
    expect([answer.status, bytes.length]).toEqual([200, body.data.bytes])
    const files = await unzip(bytes)
    const [table, ...clips] = [...files.keys()].filter((name) => !/bill/.test(name))
    expect(table).toBe('events.csv')
    expect(clips.map((name) => name.replace(/\d{4}.*/, ''))).toEqual(clips.map(() => 'clips/Front door '))
    expect(clips.map((name, n) => files.get(name)?.equals(makeBytes(n)))).toEqual([true, true, true])
    expect(files.get('events.csv')?.subarray(0, 3).toString('hex')).toBe('efbbbf')
    const rows = files.get('events.csv')?.toString().trim().split('\r\n') ?? []
    expect(rows[0]).toBe('Date,Time,Camera,Title,Kinds,Clip length (s),Seen,File,Event ID')
    expect(rows.map((row) => row.split(',').at(-1))).toEqual(['Event ID', 'c1', 'bare', 'c2', 'c3'])
    expect(rows[1]).toContain(`,9,no,${clips[0]},`)
    expect(rows[2]).toContain("'=1+1")
    const bills = files.get('bills.csv')?.toString().trim().split('\r\n') ?? []
    const [number = ''] = bills[1]?.split(',') ?? []
    expect(bills).toHaveLength(2)
    expect(files.get(`bills/${number}.txt`)?.toString()).toMatch(/Total {20,}\d+\.\d\d USD/)
  })

  test('shows times in the time zone of the request', async () => {
    const readEventTime = async (zone: string) => {
      const { bytes } = await download((await exportData(neighborhood.a, '', zone)).body.data.url)
      return (await unzip(bytes)).get('events.csv')?.toString().split('\r\n')[1]?.split(',').slice(0, 2).join(' ')
    }
    const [here, there] = [await readEventTime('UTC'), await readEventTime('Asia/Kolkata')]
    expect(Date.parse(`${there}Z`) - Date.parse(`${here}Z`)).toBe(5.5 * 3_600_000)
    expect((await exportData(neighborhood.a, '', 'Nowhere/Else')).status).toBe(400)
  })

  test('resumes after a cut connection with identical bytes, regardless of changes since then', async () => {
    const { body } = await exportData(neighborhood.a)
    const { take_id, url, bytes: length } = body.data
    const whole = await download(url)
    const before = await readThenDisconnect(url, 400_000)
    expect(before.length).toBeLessThan(length)
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'later', { event_ts: BASE_TIME_MS + 999_000 }))
    const again = await neighborhood.call(neighborhood.a, getDataExportUrl, { take_id })
    expect(again.body.data.bytes).toBe(length)
    const rest = await download(again.body.data.url, { range: `bytes=${before.length}-` })
    expect(rest.answer.status).toBe(206)
    expect(hashBytes(Buffer.concat([before, rest.bytes]))).toBe(hashBytes(whole.bytes))
  })

  test('is recorded in the activity log of the home', async () => {
    await exportData(neighborhood.a)
    await expect
      .poll(async () => (await neighborhood.call(neighborhood.a, getActivity)).body.data.entries)
      .toContainEqual(expect.objectContaining({ kind: 'export', count: 3, own: true }))
  })

  test('of another account is not found, and a guest exports nothing from a shared camera', async () => {
    const { take_id } = (await exportData(neighborhood.a)).body.data
    for (const other of [neighborhood.b, guest]) {
      expect((await neighborhood.call(other, getDataExportUrl, { take_id })).status).toBe(404)
      expect((await exportData(other)).status).toBe(404)
      expect((await neighborhood.call(other, getDataExportSize)).body.data).toMatchObject({
        clips: 0,
        events: 0,
        bills: 0,
        archives: 0,
      })
    }
  })

  test('includes the clips of all homes that the account owns, without deleted clips', async () => {
    await createHome(
      neighborhood.bindings,
      { homeId: 'home_a2', name: 'Cabin', ownerUserId: neighborhood.a.userId, demo: false },
      BASE_TIME_MS,
    )
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['c3'] })
    expect((await exportData(neighborhood.a)).body.data).toMatchObject({ state: 'ready', clips: 2, next: null })
  })
})
