import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { browserOptions } from '../../scripts/tools.mjs'
import { RtspServer } from '../support/rtsp-server.ts'
import { median, signedIn } from './browser.ts'
import type { Figure } from './figure.ts'
import { startSystem } from './system.ts'

const [WIDTH, HEIGHT, FPS] = [640, 360, 15]
/** Each frame shows its own number as bars, one per bit. */
const BITS = 10
const BAR = { left: 80, width: 48, top: 80, bottom: 280 }
const PICTURES = 2 ** BITS
const SETTLE_MS = 8000
const WATCH_MS = 12_000
/**
 * Chromium option that forces live video onto the relay: WebRTC may not use UDP. The full browser and the headless
 * shell spell the option differently.
 */
const NO_UDP = ['--webrtc-ip-handling-policy', '--force-webrtc-ip-handling-policy'].map(
  (option) => `${option}=disable_non_proxied_udp`,
)

/** Measures the latency from a frame leaving an RTSP camera (15 fps) to its display, over WebRTC and over the relay. */
export async function measureLatency(root: string): Promise<Figure[]> {
  const sent = new Map<number, number>()
  const stream = numberedStream()
  const camera = await RtspServer.start({ stream, fps: FPS, onSent: (index) => void sent.set(index, epochMs()) })
  const data = mkdtempSync(join(tmpdir(), 'porchlight-latency-'))
  const system = await startSystem(root, data, ['--fresh', '--camera', camera.url()])
  try {
    return [
      figure('by WebRTC', await measureDelays(system.origin, [], sent), 100),
      figure('by the relay', await measureDelays(system.origin, NO_UDP, sent), 200),
    ]
  } finally {
    await system.stop()
    await camera.close()
    rmSync(data, { recursive: true, force: true })
  }
}

const figure = (way: string, times: readonly number[], goal: number): Figure => ({
  what: `live: a picture sent by a camera to drawn, ${way}, p50 of ${times.length}`,
  ...{ value: median(times), unit: 'ms', goal, bound: 'max' },
})

const epochMs = (): number => performance.timeOrigin + performance.now()

/** Frames of bars, encoded as cameras do: no B-frames, a keyframe each second. */
function numberedStream(): Buffer {
  const raw = Buffer.alloc(PICTURES * WIDTH * HEIGHT, 40)
  for (let picture = 0; picture < PICTURES; picture++)
    for (let bit = 0; bit < BITS; bit++) {
      if (!((picture >> bit) & 1)) continue
      const left = BAR.left + bit * BAR.width
      for (let y = BAR.top; y < BAR.bottom; y++) {
        const at = (picture * HEIGHT + y) * WIDTH + left
        raw.fill(220, at, at + BAR.width)
      }
    }
  const input = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-s', `${WIDTH}x${HEIGHT}`, '-r', `${FPS}`, '-i', 'pipe:0']
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'baseline']
  const output = ['-pix_fmt', 'yuv420p', '-g', `${FPS}`, '-bf', '0', '-f', 'h264', 'pipe:1']
  const encoded = spawnSync('ffmpeg', ['-v', 'error', ...input, ...encoder, ...output], {
    input: raw,
    maxBuffer: 256 << 20,
  })
  if (encoded.status !== 0) throw new Error(`ffmpeg made no stream: ${String(encoded.stderr).slice(0, 300)}`)
  return encoded.stdout
}

/** Default name of a camera: the bridge derives it from the camera's IP address. */
const NAME = 'Camera at 127.0.0.1'

async function measureDelays(
  origin: string,
  args: readonly string[],
  sent: ReadonlyMap<number, number>,
): Promise<number[]> {
  const options = browserOptions({ whole: true })
  const browser = await chromium.launch({ ...options, args: [...options.args, ...args] })
  const { page } = await signedIn(browser, origin, '/live')
  const tile = page.locator('.live-tile', { hasText: NAME })
  await tile.waitFor({ state: 'attached' })
  // Shows the camera alone, so that other tiles do not affect the latency.
  await page.goto(`${origin}/live?camera=${await tile.getAttribute('data-camera')}`)
  await page.waitForTimeout(SETTLE_MS)
  const frames = await read(page)
  await browser.close()
  return frames.flatMap(([index, at]) => {
    const ms = at - (sent.get(index) ?? Number.NaN)
    return ms >= 0 ? [ms] : []
  })
}

/** Reads the numbers in the tile's frames, each with its display time in ms since the epoch. */
function read(page: Page): Promise<(readonly [index: number, at: number])[]> {
  return page.evaluate(
    async ({ ms, bits, bar, width, height }) => {
      const video = document.querySelector<HTMLVideoElement>('.live-picture > video')
      const canvas = new OffscreenCanvas(width, height)
      const brush = canvas.getContext('2d', { willReadFrequently: true })
      const seen: [number, number][] = []
      if (!video || !brush) return seen
      const readFrame = (now: number) => {
        brush.drawImage(video, 0, 0, width, height)
        const row = brush.getImageData(0, (bar.top + bar.bottom) / 2, width, 1).data
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
    { ms: WATCH_MS, bits: BITS, bar: BAR, width: WIDTH, height: HEIGHT },
  )
}
