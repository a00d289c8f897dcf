import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteEvents, exportClips } from '../../../../contract/events/timeline.ts'
import { makeUniqueFileNames } from '../../../../provider/events/export/archive-file-names.ts'
import { buildZipLayout, getPartLength } from '../../../../provider/events/export/zip-layout.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood, RECENT_TIME_MS } from '../../../support/home.ts'
import { unzip } from '../../../support/unzip.ts'

const EVENT_TIME = RECENT_TIME_MS
let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  for (const [n, id] of ['c1', 'c2', 'c3'].entries()) {
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', id, makeBytes(n))
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', id, { event_ts: EVENT_TIME + n * 60_000, clip_object }),
    )
  }
  await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'bare', { event_ts: EVENT_TIME }))
})
afterAll(() => neighborhood.close())

const makeBytes = (n: number) => Buffer.from(Array.from({ length: 50_000 + n }, (_, i) => (i * (n + 3)) % 251))
const files = [
  { event_id: 'c2', name: 'Front door 2026.mp4' },
  { event_id: 'bare', name: 'Nothing.mp4' },
  { event_id: 'c1', name: 'Front door 2026.mp4' },
  { event_id: 'c3', name: 'Garten hinter dem Häuschen.mp4' },
]
const requestExport = async (requestedFiles = files, household = neighborhood.a) =>
  neighborhood.call(household, exportClips, { files: requestedFiles })
const download = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

describe('clip export', () => {
  test('is one zip of the clips under the requested names, with its length known in advance', async () => {
    const { body } = await requestExport()
    expect(body.data).toMatchObject({ state: 'ready', files: 3, missing: ['bare'] })
    const { answer, bytes } = await download(body.data.url)
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(body.data.bytes)])
    const files = await unzip(bytes)
    const [names, contents] = [[...files.keys()], [...files.values()]]
    expect(names).toEqual(['Front door 2026.mp4', 'Front door 2026 (2).mp4', 'Garten hinter dem Häuschen.mp4'])
    expect(contents.map((content, i) => content.equals(makeBytes([1, 0, 2][i] ?? 0)))).toEqual([true, true, true])
  })

  test('uses file names that every system can store and displays unchanged', async () => {
    const unsafeFiles = [
      { event_id: 'c1', name: 'con.mp4' },
      { event_id: 'c2', name: 'con\u2028.mp4' },
      { event_id: 'c3', name: 'Door\u202e4pm.exe. ' },
    ]
    const { bytes } = await download((await requestExport(unsafeFiles)).body.data.url)
    expect([...(await unzip(bytes)).keys()]).toEqual(['_con.mp4', '_con (2).mp4', 'Door4pm.exe'])
  })

  test('resumes where a download stopped, even with a newly requested URL', async () => {
    const whole = await download((await requestExport()).body.data.url)
    const { body } = await requestExport()
    const etag = whole.answer.headers.get('etag') ?? ''
    for (const at of [0, 1, 29, 70, 50_100, 100_200, body.data.bytes - 30, body.data.bytes - 1]) {
      const rest = await download(body.data.url, { range: `bytes=${at}-`, 'if-range': etag })
      expect([rest.answer.status, rest.bytes.equals(whole.bytes.subarray(at))]).toEqual([206, true])
      const part = await download(body.data.url, { range: `bytes=${at}-${at + 60_000}` })
      expect(part.bytes.equals(whole.bytes.subarray(at, at + 60_001))).toBe(true)
    }
    const beyond = await download(body.data.url, { range: `bytes=${body.data.bytes}-` })
    const other = await download(body.data.url, { range: 'bytes=10-', 'if-range': '"another"' })
    expect([beyond.answer.status, other.answer.status, other.bytes.length]).toEqual([416, 200, body.data.bytes])
  })

  test('of another account’s clips, or with a forged URL, is rejected', async () => {
    const { body } = await requestExport()
    const foreign = await requestExport(files, neighborhood.b)
    const forged = await fetch(body.data.url.replace('?p=', '?p=A'))
    expect([foreign.status, forged.status]).toEqual([404, 403])
  })

  test.each(['../up.mp4', 'a/b.mp4', '.hidden', 'nul\u0000', '', 'x'.repeat(121)])(
    'of a file named %j is rejected',
    async (name) => {
      expect((await requestExport([{ event_id: 'c1', name }])).status).toBe(400)
    },
  )

  test('reports a clip deleted in the meantime instead of sending a partial archive', async () => {
    const { body } = await requestExport()
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['c3'] })
    expect((await fetch(body.data.url)).status).toBe(410)
    expect((await requestExport()).body.data).toMatchObject({ files: 2, missing: ['bare', 'c3'] })
  })
})

describe('zip layout', () => {
  test('is valid for any files, including empty ones', async () => {
    const file = fc.record({ name: fc.constantFrom('a.mp4', 'ä b.mp4', 'c'), data: fc.uint8Array({ maxLength: 40 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 5 }), async (entries) => {
        const names = makeUniqueFileNames(entries.map(({ name }) => name))
        const parts = buildZipLayout(
          entries.map(({ data }, i) => ({
            name: names[i] ?? '',
            bytes: data.length,
            crc: crc32(data),
            at: EVENT_TIME,
          })),
        )
        const pieces = parts.map((part) =>
          'made' in part ? part.made : (entries[part.file]?.data ?? new Uint8Array()),
        )
        expect(pieces.map((piece) => piece.length)).toEqual(parts.map(getPartLength))
        const found = await unzip(Buffer.concat(pieces))
        expect([...found.keys()]).toEqual(names)
        expect([...found.values()].map((content) => [...content])).toEqual(entries.map(({ data }) => [...data]))
      }),
      { numRuns: 15 },
    )
  })
})
