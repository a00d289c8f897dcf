import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueMediaToken } from '../../../contract/media/media-token.ts'
import { formatMediaUrl, formatSignedContent } from '../../../contract/media/media-urls.ts'
import { readBilledWork } from '../../support/billed-work/billed-work.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood } from '../../support/home.ts'

let neighborhood: Neighborhood
let clipUrl: string
beforeAll(async () => {
  neighborhood = await openNeighborhood({ countsWork: true })
  const { a, stage } = neighborhood
  await a.bridge.register('door')
  const clip_object = await a.bridge.upload('door', 'clip', 'e1', Buffer.alloc(1000))
  await a.bridge.postEvent(createBridgeEvent('door', 'e1', { clip_object }))
  const p = (await neighborhood.call(a, issueMediaToken)).body.data.pass as string
  const exp = Date.now() + 300_000
  const sig = createHmac('sha256', stage.env.MEDIA_KEY)
    .update(formatSignedContent('clip', 'e1', p, exp))
    .digest('hex')
  clipUrl = formatMediaUrl(stage.env.PROVIDER_ORIGIN, 'clip', 'e1', { p, exp, sig })
  // The first use of an object creates its tables.
  await fetch(clipUrl)
})
afterAll(() => neighborhood.close())

test.each([[{}], [{ range: 'bytes=0-' }], [{ range: 'bytes=500-' }], [{ range: 'bytes=-100' }]])(
  'a clip request %o reads storage and the database once',
  async (headers) => {
    const { provider } = neighborhood.stage
    await readBilledWork(provider)
    const response = await fetch(clipUrl, { headers })
    await response.arrayBuffer()
    expect(response.ok).toBe(true)
    const { r2Reads, d1Queries, objectRequests } = await readBilledWork(provider)
    expect({ r2Reads, d1Queries, objectRequests }).toEqual({
      r2Reads: 1,
      d1Queries: 1,
      objectRequests: { 'Guard.readAccess': 1, 'Home.mediaObject': 1 },
    })
  },
)
