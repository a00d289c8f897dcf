import type { BrowserContext, Page } from 'playwright'
import { formatGatewayPath } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { getStreams } from '../../contract/live/live-calls.ts'
import { RELAY_MESSAGE_TYPES, RELAY_PARAMETER } from '../../contract/live/relay-protocol.ts'
import { STORAGE_KEYS } from '../../src/stores/storage/storage-keys.ts'
import { median } from './browser.ts'

/**
 * Path of the bare page on which the benchmark measures baselines. A baseline is the time that a task takes without the
 * portal's layout, styles and React. The rest of a figure is the portal's own cost.
 */
const BARE_PAGE_PATH = '/robots.txt'
const RUNS = 9
const PAUSE_MS = 1000
/** Position of the mouse press on a bare page, CSS pixels. */
const BARE_PAGE_PRESS_PX = 100

/**
 * Returns the median time from navigation until `count` cameras have displayed a frame, ms. The page opens a socket and
 * a media source per camera. If `count` is above 1, the page requests an extra camera, because a camera may be asleep.
 */
export async function measureTileBaseline(context: BrowserContext, origin: string, count: number): Promise<number> {
  const page = await openBarePage(context, origin)
  const stored = await page.evaluate((key) => localStorage.getItem(key) ?? '[]', STORAGE_KEYS.userCameras)
  const cameras = (JSON.parse(stored) as { device_id: string }[]).slice(0, count === 1 ? 1 : count + 1)
  const input = {
    count,
    url: formatGatewayPath(getStreams),
    body: JSON.stringify({ device_list: cameras.map(({ device_id }) => ({ device_id })) }),
    token: STORAGE_KEYS.webAppToken,
    cookie: XSRF_COOKIE,
    header: XSRF_HEADER,
    relay: `&${RELAY_PARAMETER}=1`,
    init: RELAY_MESSAGE_TYPES.init,
  }
  const times = await measureRuns(page, origin, () => page.evaluate(playCameras, input))
  await page.close()
  return median(times)
}

/** Returns the median time from a mouse press on a bare page to the first frame of a bare video element, ms. */
export async function measureClipBaseline(
  context: BrowserContext,
  origin: string,
  eventIds: readonly string[],
): Promise<number> {
  const page = await openBarePage(context, origin)
  const times: number[] = []
  for (const id of eventIds) {
    await page.goto(origin + BARE_PAGE_PATH)
    await page.waitForTimeout(PAUSE_MS)
    const measurement = await page.evaluateHandle(playPressedClip, `/m/clip/${id}`)
    await page.mouse.click(BARE_PAGE_PRESS_PX, BARE_PAGE_PRESS_PX)
    times.push(await measurement.evaluate(({ timeMs }) => timeMs))
  }
  await page.close()
  return median(times)
}

async function openBarePage(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(origin + BARE_PAGE_PATH)
  return page
}

/** Measures on a new bare page in each run. Returns the times without the first run, which is a warm-up. */
async function measureRuns(page: Page, origin: string, measure: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let run = -1; run < RUNS; run++) {
    await page.goto('about:blank')
    await page.waitForTimeout(PAUSE_MS)
    await page.goto(origin + BARE_PAGE_PATH, { waitUntil: 'commit' })
    const time = await measure()
    if (run >= 0) times.push(time)
  }
  return times
}

interface TileBaselineInput {
  readonly count: number
  readonly url: string
  readonly body: string
  readonly token: string
  readonly cookie: string
  readonly header: string
  readonly relay: string
  readonly init: number
}

/** Runs in the page: resolves when `count` cameras have displayed a frame, with the ms since the navigation. */
async function playCameras({
  count,
  url,
  body,
  token,
  cookie,
  header,
  relay,
  init,
}: TileBaselineInput): Promise<number> {
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
  const sockets: WebSocket[] = []
  const playStream = (address: string, onFirstFrame: (now: number) => void) => {
    const video = document.createElement('video')
    const source = new MediaSource()
    video.muted = video.autoplay = true
    video.src = URL.createObjectURL(source)
    document.body.append(video)
    video.requestVideoFrameCallback(onFirstFrame)
    const socket = new WebSocket(address)
    sockets.push(socket)
    socket.binaryType = 'arraybuffer'
    const queue: Uint8Array<ArrayBuffer>[] = []
    let buffer: SourceBuffer | null = null
    const appendNext = () => {
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
      if (kind === init && source.readyState === 'open') {
        buffer = source.addSourceBuffer(`video/mp4; codecs="${type}"`)
        buffer.onupdateend = appendNext
      }
      appendNext()
    }
  }
  return new Promise((resolve) => {
    let shownCount = 0
    const onFirstFrame = (now: number) => {
      shownCount += 1
      if (shownCount < count) return
      sockets.forEach((socket) => socket.close())
      resolve(now)
    }
    for (const { signalling_url: url } of data.streams) playStream(url + relay, onFirstFrame)
  })
}

/** Runs in the page: plays a clip at the next mouse press, and measures the ms from the press to its first frame. */
function playPressedClip(src: string): { timeMs: Promise<number> } {
  const timeMs = new Promise<number>((resolve) => {
    const play = ({ timeStamp }: PointerEvent) => {
      const video = document.createElement('video')
      video.muted = video.autoplay = true
      video.src = src
      document.body.append(video)
      video.requestVideoFrameCallback(() => resolve(performance.now() - timeStamp))
    }
    addEventListener('pointerdown', play, { once: true })
  })
  return { timeMs }
}
