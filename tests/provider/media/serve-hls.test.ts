import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { replayArchive, replayLive } from '../../../contract/events/event-calls.ts'
import { HLS_MEDIA_TYPE } from '../../../contract/media/media-urls.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood, RECENT_TIME_MS } from '../../support/home.ts'
import { execFileAsync } from '../../support/unzip.ts'

const CLIP_START = RECENT_TIME_MS
const folder = mkdtempSync(join(tmpdir(), 'porchlight-hls-'))
let neighborhood: Neighborhood
let clip: Buffer
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
  clip = await makeClip()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await neighborhood.close()
})

/**
 * Creates a clip: 7 s of video with B-frames and a keyframe per second, audio, and the index at the start of the file.
 */
async function makeClip(): Promise<Buffer> {
  const file = join(folder, 'clip.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=15:duration=7']
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=7']
  const codec = ['-c:v', 'libx264', '-bf', '2', '-g', '15', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  await execFileAsync('ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, ...codec, '-movflags', '+faststart', file])
  return readFileSync(file)
}

/** Returns the codec type and the packet count of each stream. Rejects if the file does not decode. */
async function countPackets(bytes: Buffer): Promise<unknown> {
  const file = join(folder, 'probe.mp4')
  writeFileSync(file, bytes)
  const decoded = await execFileAsync('ffmpeg', ['-v', 'error', '-xerror', '-i', file, '-f', 'null', '-'])
  expect(decoded.stdout).toBe('')
  const entries = ['-count_packets', '-show_entries', 'stream=codec_type,nb_read_packets', '-of', 'json']
  return JSON.parse((await execFileAsync('ffprobe', ['-v', 'error', ...entries, file])).stdout)
}

const buildRequest = (resource_type: string, change: Record<string, unknown> = {}) => ({
  device_id: 'door_a',
  product_model: 'PL-1',
  start_time: CLIP_START,
  end_time: CLIP_START + 7000,
  resource_version: 4,
  resource_type,
  is_live: 'false',
  ...change,
})
const buildResource = (resource_type: 's3' | 'kvs' | 'wvs', at = CLIP_START) => ({
  begin_time: at,
  end_time: at + 7000,
  resource_version: 4,
  resource_type,
})
const fetchText = async (url: string) => (await fetch(url)).text()
const listSegmentUris = (playlist: string) =>
  playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('recorded clip', () => {
  test.each(['kvs', 'wvs'] as const)(
    'CLIP-05 OPEN-68 of type %s plays as HLS with complete video and audio',
    async (type) => {
      const id = `event_${type}`
      const at = type === 'kvs' ? CLIP_START : CLIP_START + 60_000
      const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', id, clip)
      await neighborhood.a.bridge.postEvent(
        createBridgeEvent('door_a', id, { event_ts: at, event_resources: [buildResource(type, at)], clip_object }),
      )
      const { body } = await neighborhood.call(
        neighborhood.a,
        replayArchive,
        buildRequest(type, { start_time: at, end_time: at + 7000 }),
      )
      expect(body.data.mime).toBe(HLS_MEDIA_TYPE)
      const playlist = await fetchText(body.data.replay_url)
      expect(playlist).toMatch(/^#EXTM3U\n/)
      expect(playlist).toContain('#EXT-X-ENDLIST')
      const seconds = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1]))
      expect(seconds.length).toBeGreaterThan(2)
      expect(seconds.reduce((sum, duration) => sum + duration, 0)).toBeCloseTo(7, 1)
      const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)?.[1] ?? ''
      const parts = await Promise.all(
        [init, ...listSegmentUris(playlist)].map(async (line) => {
          const answer = await fetch(new URL(line, body.data.replay_url))
          expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
            200,
            neighborhood.stage.env.PORTAL_ORIGIN,
          ])
          return Buffer.from(await answer.arrayBuffer())
        }),
      )
      expect(await countPackets(Buffer.concat(parts))).toEqual(await countPackets(clip))
    },
  )

  test('CALL-25 CLIP-05 that is still uploading has an open-ended playlist, which ends once the clip is stored', async () => {
    const at = CLIP_START + 600_000
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'coming', { event_ts: at + 1000, clip_state: 'uploading' }),
    )
    const range = { start_time: at, end_time: at + 7000 }
    const archive = await neighborhood.call(neighborhood.a, replayArchive, buildRequest('s3', range))
    const { body } = await neighborhood.call(
      neighborhood.a,
      replayLive,
      buildRequest('s3', { ...range, is_live: 'true' }),
    )
    expect([archive.status, body.data.mime]).toEqual([404, HLS_MEDIA_TYPE])
    const open = await fetchText(body.data.replay_url)
    expect([open.includes('#EXT-X-ENDLIST'), listSegmentUris(open)]).toEqual([false, []])
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'coming', clip)
    const event_resources = [buildResource('s3', at)]
    const post = { device_id: 'door_a', event_id: 'coming', clip_object, thumb_object: null, event_resources }
    await neighborhood.a.bridge.send('POST', BRIDGE_PATHS.clip, post)
    const ended = await fetchText(body.data.replay_url)
    expect([ended.includes('#EXT-X-ENDLIST'), listSegmentUris(ended).length > 2]).toEqual([true, true])
  })

  test('of another account, or with a forged or changed URL, serves no HLS segments either', async () => {
    const { body } = await neighborhood.call(neighborhood.a, replayArchive, buildRequest('kvs'))
    const url = new URL(body.data.replay_url)
    const foreign = await neighborhood.call(neighborhood.b, replayLive, buildRequest('kvs', { is_live: 'true' }))
    const init = `${url.origin}${url.pathname}/init.mp4`
    const answers = await Promise.all([
      fetch(`${init}${url.search}`),
      fetch(init),
      fetch(`${url.href.replace('event_kvs', 'event_wvs')}`),
      fetch(`${url.origin}${url.pathname}/99.m4s${url.search}`),
      fetch(`${url.origin}${url.pathname}/..%2Fx${url.search}`),
    ])
    expect([foreign.status, ...answers.map(({ status }) => status)]).toEqual([404, 200, 403, 403, 404, 404])
  })

  test('that is not a video is rejected with an error message, not a server failure', async () => {
    const at = CLIP_START + 1_200_000
    const clip_object = await neighborhood.a.bridge.upload(
      'door_a',
      'clip',
      'junk',
      Buffer.from('\0\0\0\u0004moovnot a film'),
    )
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'junk', { event_ts: at, event_resources: [buildResource('kvs', at)], clip_object }),
    )
    const { body } = await neighborhood.call(
      neighborhood.a,
      replayArchive,
      buildRequest('kvs', { start_time: at, end_time: at + 7000 }),
    )
    const answer = await fetch(body.data.replay_url)
    expect([answer.status, (await answer.json()) as object]).toMatchObject([415, { code: 415 }])
  })
})
