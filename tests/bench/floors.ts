import type { BrowserContext, Page } from 'playwright'
import { gatewayPath } from '../../contract/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/constants.ts'
import { getStreams } from '../../contract/live.ts'
import { RELAY, RELAY_PARAMETER } from '../../contract/relay.ts'
import { KEYS } from '../../src/stores/storage/storage.ts'
import { median } from './browser.ts'

/**
 * Floors: the least that this machine, browser, edge and provider need for the same thing, on a bare page of the portal's own
 * origin, without list, frame, styles or React. A figure beside its floor says how much of it is ours.
 */
const BARE = '/robots.txt'
const RUNS = 9
const REST_MS = 1000

/** From navigation to the first frame of one camera: one question, one socket, one media source. Median, ms. */
export async function floorOfFirstTile(context: BrowserContext, origin: string): Promise<number> {
  const page = await bare(context, origin)
  const device_id = await page.evaluate((key) => {
    const [first] = JSON.parse(localStorage.getItem(key) ?? '[]') as { device_id: string }[]
    return first?.device_id ?? ''
  }, KEYS.userCameras)
  const facts = {
    url: gatewayPath(getStreams),
    body: JSON.stringify({ device_list: [{ device_id }] }),
    token: KEYS.webAppToken,
    cookie: XSRF_COOKIE,
    header: XSRF_HEADER,
    relay: `&${RELAY_PARAMETER}=1`,
    init: RELAY.init,
  }
  const times = await runs(page, origin, () => page.evaluate(showCamera, facts))
  await page.close()
  return median(times)
}

/** From a call to `src` to the first frame of a clip in a bare video element. Median, ms. */
export async function floorOfClip(
  context: BrowserContext,
  origin: string,
  eventIds: readonly string[],
): Promise<number> {
  const page = await bare(context, origin)
  const times: number[] = []
  for (const id of eventIds) {
    await page.goto(origin + BARE)
    await page.waitForTimeout(REST_MS)
    times.push(await page.evaluate(showClip, `/m/clip/${id}`))
  }
  await page.close()
  return median(times)
}

async function bare(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(origin + BARE)
  return page
}

/** The first of them warms up. */
async function runs(page: Page, origin: string, look: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let run = -1; run < RUNS; run++) {
    await page.goto('about:blank')
    await page.waitForTimeout(REST_MS)
    await page.goto(origin + BARE, { waitUntil: 'commit' })
    const time = await look()
    if (run >= 0) times.push(time)
  }
  return times
}

interface Facts {
  readonly url: string
  readonly body: string
  readonly token: string
  readonly cookie: string
  readonly header: string
  readonly relay: string
  readonly init: number
}

/** Runs in the page: answers when the first frame was there, ms since the navigation. */
async function showCamera({ url, body, token, cookie, header, relay, init }: Facts): Promise<number> {
  const video = document.createElement('video')
  const source = new MediaSource()
  video.muted = video.autoplay = true
  video.src = URL.createObjectURL(source)
  document.body.append(video)
  const xsrf = new RegExp(`(?:^|; )${cookie}=([^;]+)`).exec(document.cookie)?.[1] ?? ''
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'web-app-token': localStorage.getItem(token) ?? '',
      [header]: decodeURIComponent(xsrf),
    },
    body,
  })
  const { data } = (await answer.json()) as { data: { streams: { signalling_url: string }[] } }
  const socket = new WebSocket((data.streams[0]?.signalling_url ?? '') + relay)
  socket.binaryType = 'arraybuffer'
  const queue: Uint8Array<ArrayBuffer>[] = []
  let buffer: SourceBuffer | null = null
  const pump = () => {
    if (source.readyState !== 'open' || !buffer || buffer.updating) return
    const next = queue.shift()
    if (next) buffer.appendBuffer(next)
    if (video.buffered.length > 0 && video.currentTime < video.buffered.start(0))
      video.currentTime = video.buffered.start(0)
  }
  socket.onmessage = ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    const [kind, length = 0] = new Uint8Array(data)
    const type = new TextDecoder().decode(new Uint8Array(data, 2, kind === init ? length : 0))
    queue.push(new Uint8Array(data, kind === init ? 2 + length : 1))
    if (kind === init) {
      buffer = source.addSourceBuffer(`video/mp4; codecs="${type}"`)
      buffer.onupdateend = pump
    }
    pump()
  }
  return new Promise((resolve) =>
    video.requestVideoFrameCallback((now) => {
      socket.close()
      resolve(now)
    }),
  )
}

/** Runs in the page. */
function showClip(src: string): Promise<number> {
  const started = performance.now()
  const video = document.createElement('video')
  video.muted = video.autoplay = true
  video.src = src
  document.body.append(video)
  return new Promise((resolve) => video.requestVideoFrameCallback(() => resolve(performance.now() - started)))
}
