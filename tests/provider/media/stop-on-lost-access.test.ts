import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { userLogout } from '../../../contract/auth/user-calls.ts'
import { replayArchive, replayLive } from '../../../contract/events/event-calls.ts'
import type { MediaKind } from '../../../contract/media/media-urls.ts'
import { exportClips } from '../../../contract/events/timeline.ts'
import {
  addAccessToken,
  createBridgeEvent,
  openNeighborhood,
  RECENT_TIME_MS,
  createSignedMediaUrl,
  type Account,
  type Neighborhood,
} from '../../support/home.ts'

/** Clip content, larger than all buffers between two processes, so that no transfer ends before the sign-out. */
const LONG_CLIP = Buffer.alloc(48 * 1024 * 1024, 7)
let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  const { bridge } = neighborhood.a
  await bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
  const clip_object = await bridge.upload('door_a', 'clip', 'e1', LONG_CLIP)
  const thumb_object = await bridge.upload('door_a', 'thumb', 'e1', Buffer.from('picture'))
  await bridge.upload('door_a', 'last', 'door_a', Buffer.from('now'))
  const event_resources = [
    { begin_time: RECENT_TIME_MS, end_time: RECENT_TIME_MS + 7000, resource_version: 4, resource_type: 's3' as const },
  ]
  await bridge.postEvent(createBridgeEvent('door_a', 'e1', { clip_object, thumb_object, event_resources }))
  await bridge.postEvent(
    createBridgeEvent('door_a', 'coming', { event_ts: RECENT_TIME_MS + 60_000, clip_state: 'uploading' }),
  )
})
afterAll(() => neighborhood.close())

const signMediaUrl = (account: Account, kind: MediaKind, id: string) =>
  createSignedMediaUrl(neighborhood, account, kind, id)

const buildReplayRequest = (start_time: number) => ({
  device_id: 'door_a',
  product_model: 'PL-1',
  start_time,
  end_time: start_time + 7000,
  resource_version: 4,
  resource_type: 's3',
  is_live: 'true',
})

/** Returns one media URL of each kind, as the edge signs it or as a response of the provider contains it. */
async function collectUrls(account: Account): Promise<Record<string, string>> {
  const live = (await neighborhood.call(account, replayLive, buildReplayRequest(RECENT_TIME_MS + 60_000))).body.data
    .replay_url as string
  const zip = await neighborhood.call(account, exportClips, { files: [{ event_id: 'e1', name: 'Door.mp4' }] })
  return {
    clip: await signMediaUrl(account, 'clip', 'e1'),
    replay: (
      await neighborhood.call(account, replayArchive, { ...buildReplayRequest(RECENT_TIME_MS), is_live: 'false' })
    ).body.data.replay_url,
    hls: live,
    zip: zip.body.data.url,
    thumb: await signMediaUrl(account, 'thumb', 'e1'),
    last: await signMediaUrl(account, 'last', 'door_a'),
  }
}

async function fetchStatuses(urls: Record<string, string>): Promise<number[]> {
  const answers = await Promise.all(Object.values(urls).map((url) => fetch(url, { headers: { range: 'bytes=0-1' } })))
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  return answers.map(({ status }) => status)
}
const repeatStatus = (urls: object, status: number) => Object.keys(urls).map(() => status)
const areAllForbidden = (statuses: number[]) => statuses.every((status) => status === 403)

describe('media URLs', () => {
  test('expire with the sign-in they were made for, and with no other of the account', async () => {
    const [currentSignIn, otherSignIn] = await Promise.all([
      addAccessToken(neighborhood.bindings, neighborhood.a, 'here'),
      addAccessToken(neighborhood.bindings, neighborhood.a, 'there'),
    ])
    const [mine, others] = [await collectUrls(currentSignIn), await collectUrls(otherSignIn)]
    expect([await fetchStatuses(mine), await fetchStatuses(others)]).toEqual([
      [206, 206, 200, 206, 206, 206],
      [206, 206, 200, 206, 206, 206],
    ])
    expect((await neighborhood.call(currentSignIn, userLogout)).status).toBe(200)
    expect(await fetchStatuses(mine)).toEqual(repeatStatus(mine, 403))
    const piece = mine['hls']?.replace('/coming?', '/coming/init.mp4?') ?? ''
    expect(await fetchStatuses({ piece })).toEqual([403])
    expect(areAllForbidden(await fetchStatuses(others))).toBe(false)
    expect(await fetchStatuses(others)).toEqual([206, 206, 200, 206, 206, 206])
  })

  test('reveal neither the account nor the sign-in, and are not cached', async () => {
    const urls = await collectUrls(neighborhood.a)
    for (const url of Object.values(urls)) expect(decodeURIComponent(url)).not.toMatch(/user_a|grant_a/)
    const mediaTokens = Object.values(urls).map((url) => new URL(url).searchParams.get('p') ?? '')
    for (const pass of mediaTokens) expect(Buffer.from(pass, 'base64url').toString('latin1')).not.toContain('grant_a')
    const answers = await Promise.all(Object.values(urls).map((url) => fetch(url, { method: 'HEAD' })))
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'private, no-store'))
  })

  test('expire with the account', async () => {
    const urls = { clip: await signMediaUrl(neighborhood.b, 'clip', 'e1') }
    expect(await fetchStatuses(urls)).toEqual([404])
    const headers = { authorization: `Admin ${neighborhood.stage.env.ADMIN_KEY}` }
    const accountUrl = `${neighborhood.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/b@example.com`
    expect((await fetch(accountUrl, { method: 'DELETE', headers })).status).toBe(200)
    expect(await fetchStatuses(urls)).toEqual([403])
  })
})

describe('media transfer', () => {
  async function measureTransferAfterSignOut(kind: 'clip' | 'zip'): Promise<number> {
    const currentSignIn = await addAccessToken(neighborhood.bindings, neighborhood.a, `watching_${kind}`)
    const url = (await collectUrls(currentSignIn))[kind] ?? ''
    const answer = await fetch(url)
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThanOrEqual(LONG_CLIP.length)
    const reader = answer.body!.getReader()
    let length = (await reader.read()).value?.length ?? 0
    expect((await neighborhood.call(currentSignIn, userLogout)).status).toBe(200)
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length
    } catch {
      return length
    }
    throw new Error(`The transfer of ${length} bytes completed despite the sign-out.`)
  }

  test.each(['clip', 'zip'] as const)('of a %s stops when its sign-in ends', async (kind) => {
    expect(await measureTransferAfterSignOut(kind)).toBeLessThan(LONG_CLIP.length)
  })

  test('completes while the sign-in is valid', async () => {
    const bytes = Buffer.from(await (await fetch(await signMediaUrl(neighborhood.a, 'clip', 'e1'))).arrayBuffer())
    expect(bytes.equals(LONG_CLIP)).toBe(true)
  })
})
