import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { browserOptions } from '../../scripts/tools.mjs'
import { RtspServer } from '../support/rtsp-server.ts'
import { median, openSignedInPage } from './browser.ts'
import type { Figure } from './figure.ts'
import { startSystem } from './system.ts'

const [WIDTH, HEIGHT, FPS] = [640, 360, 15]
/** Each frame shows its own number as bars, one per bit. */
const NUMBER_BITS = 10
const BAR_LAYOUT = { left: 80, width: 48, top: 80, bottom: 280 }
const FRAME_COUNT = 2 ** NUMBER_BITS
const SETTLE_MS = 8000
const OBSERVATION_MS = 12_000
/**
 * Chromium options that disable UDP for WebRTC, so that live video uses the relay. The full browser and the headless
 * shell use different option names.
 */
const NO_UDP_ARGS = ['--webrtc-ip-handling-policy', '--force-webrtc-ip-handling-policy'].map(
  (option) => `${option}=disable_non_proxied_udp`,
)

/** Measures the latency from a frame leaving an RTSP camera (15 fps) to its display, over WebRTC and over the relay. */
export async function measureLatency(root: string): Promise<Figure[]> {
  const sentTimes = new Map<number, number>()
  const stream = encodeNumberedFrames()
  const camera = await RtspServer.start({
    stream,
    fps: FPS,
    onSent: (index) => void sentTimes.set(index, nowEpochMs()),
  })
  const dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-latency-'))
  const system = await startSystem(root, dataFolder, ['--fresh', '--camera', camera.url()])
  try {
    return [
      createFigure('WebRTC', await measureDelays(system.origin, [], sentTimes), 100),
      createFigure('relay', await measureDelays(system.origin, NO_UDP_ARGS, sentTimes), 200),
    ]
  } finally {
    await system.stop()
    await camera.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

const createFigure = (transport: string, times: readonly number[], goal: number): Figure => ({
  label: `live: a picture sent by a camera to drawn, ${transport}, p50 of ${times.length}`,
  value: median(times),
  unit: 'ms',
  goal,
  bound: 'max',
})

const nowEpochMs = (): number => performance.timeOrigin + performance.now()

/** Returns an H.264 stream of numbered frames, encoded as cameras do: no B-frames, one keyframe per second. */
function encodeNumberedFrames(): Buffer {
  const raw = Buffer.alloc(FRAME_COUNT * WIDTH * HEIGHT, 40)
  for (let picture = 0; picture < FRAME_COUNT; picture++)
    for (let bit = 0; bit < NUMBER_BITS; bit++) {
      if (!((picture >> bit) & 1)) continue
      const left = BAR_LAYOUT.left + bit * BAR_LAYOUT.width
      for (let y = BAR_LAYOUT.top; y < BAR_LAYOUT.bottom; y++) {
        const at = (picture * HEIGHT + y) * WIDTH + left
        raw.fill(220, at, at + BAR_LAYOUT.width)
      }
    }
  const input = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${WIDTH}x${HEIGHT}`, '-r', `${FPS}`, '-i', 'pipe:0']
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'baseline']
  const output = ['-pix_fmt', 'yuv420p', '-g', `${FPS}`, '-bf', '0', '-f', 'h264', 'pipe:1']
  const encoded = spawnSync('ffmpeg', ['-v', 'error', ...input, ...encoder, ...output], {
    input: raw,
    maxBuffer: 256 << 20,
  })
  if (encoded.status !== 0)
    throw new Error(`ffmpeg could not encode the stream: ${String(encoded.stderr).slice(0, 300)}`)
  return encoded.stdout
}

/** Default name of a camera: the bridge derives it from the camera's IP address. */
const CAMERA_NAME = 'Camera at 127.0.0.1'

async function measureDelays(
  origin: string,
  args: readonly string[],
  sentTimes: ReadonlyMap<number, number>,
): Promise<number[]> {
  const options = browserOptions({ whole: true })
  const browser = await chromium.launch({ ...options, args: [...options.args, ...args] })
  const { page } = await openSignedInPage(browser, origin, '/live')
  const tile = page.locator('.live-tile', { hasText: CAMERA_NAME })
  await tile.waitFor({ state: 'attached' })
  // Shows the camera alone, so that other tiles do not affect the latency.
  await page.goto(`${origin}/live?camera=${await tile.getAttribute('data-camera')}`)
  await page.waitForTimeout(SETTLE_MS)
  const frames = await readFrameNumbers(page)
  await browser.close()
  return frames.flatMap(([index, at]) => {
    const ms = at - (sentTimes.get(index) ?? Number.NaN)
    return ms >= 0 ? [ms] : []
  })
}

/** Reads the number in each displayed frame of the tile. `at`: display time, ms since the epoch. */
function readFrameNumbers(page: Page): Promise<(readonly [index: number, at: number])[]> {
  return page.evaluate(
    async ({ ms, bits, bar, width, height }) => {
      const video = document.querySelector<HTMLVideoElement>('.live-picture > video')
      const canvas = new OffscreenCanvas(width, height)
      const context2d = canvas.getContext('2d', { willReadFrequently: true })
      const seen: [number, number][] = []
      if (!video || !context2d) return seen
      const readFrame = (now: number) => {
        context2d.drawImage(video, 0, 0, width, height)
        const row = context2d.getImageData(0, (bar.top + bar.bottom) / 2, width, 1).data
        let index = 0
        for (let bit = 0; bit < bits; bit++)
          if ((row[4 * (bar.left + bit * bar.width + bar.width / 2)] ?? 0) > 128) index |= 1 << bit
        seen.push([index, performance.timeOrigin + now])
        video.requestVideoFrameCallback(readFrame)
      }
      video.requestVideoFrameCallback(readFrame)
      await new Promise((resolve) => setTimeout(resolve, ms))
      return seen
    },
    { ms: OBSERVATION_MS, bits: NUMBER_BITS, bar: BAR_LAYOUT, width: WIDTH, height: HEIGHT },
  )
}
