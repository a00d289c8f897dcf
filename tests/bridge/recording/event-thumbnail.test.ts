import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { splitFrames } from '../../../bridge/media/h264/annex-b.ts'
import { ProviderError } from '../../../bridge/uplink/provider-client.ts'
import { RecordingQueue } from '../../../bridge/recording/recording-queue.ts'
import { MotionRecorder } from '../../../bridge/recording/motion-recorder.ts'
import { addTestCleanup } from '../../support/watched-camera.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

/** Returns 12 s of video with a keyframe per second. The brightness grows each second, so a frame reveals its time. */
function encodeBrighteningVideo(): Buffer {
  const videoFilter = "color=black:size=320x180:rate=15:duration=12,geq=lum='16+floor(T)*16':cb=128:cr=128"
  const codec = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '15',
    '-bf',
    '0',
    '-bsf:v',
    'h264_metadata=aud=insert',
  ]
  const args = ['-loglevel', 'error', '-f', 'lavfi', '-i', videoFilter, ...codec, '-f', 'h264', 'pipe:1']
  return spawnSync('ffmpeg', args, { maxBuffer: 1 << 26 }).stdout
}

function measureBrightness(file: string): number {
  const gray = spawnSync('ffmpeg', [
    '-loglevel',
    'error',
    '-i',
    file,
    '-vf',
    'scale=1:1,format=gray',
    '-f',
    'rawvideo',
    '-',
  ])
  return gray.stdout[0] ?? 0
}

test('the thumbnail of an event shows the largest motion, not the first', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'best-'))
  const queue = new RecordingQueue(dataFolder, () => Promise.reject(new ProviderError(0, 'down')))
  addTestCleanup(() => rm(dataFolder, { recursive: true, force: true }))
  addTestCleanup(() => queue.stop())
  await queue.open()
  const recorder = new MotionRecorder({ deviceId: 'RC1', name: 'Porch', queue })
  const start = 1_795_181_460_000
  const pictures = splitFrames(encodeBrighteningVideo())
  for (const [i, picture] of pictures.entries()) {
    const pts = start + (i * 1000) / 15
    recorder.addFrame({ ...picture, pts })
    const second = Math.floor(i / 15)
    const moving = second >= 2 && second <= 9
    // A small object enters at 2 s and is close to the camera at 8 s.
    if (i % 3 === 0) recorder.handleSample({ at: pts, moving, area: moving ? (second === 8 ? 0.3 : 0.01) : 0 })
    if (i % 15 === 0) await new Promise(setImmediate)
  }
  recorder.interrupt()
  await recorder.waitUntilFinished()
  await vi.waitUntil(async () => (await queue.listWaiting()).length === 1, WAIT_OPTIONS)
  const [name = ''] = (await readdir(join(dataFolder, 'queue'))).filter((file) => file.endsWith('.jpg'))
  const seen = measureBrightness(join(dataFolder, 'queue', name))
  const expected = Math.round(((16 + 8 * 16 - 16) * 255) / 219)
  expect(Math.abs(seen - expected)).toBeLessThan(9)
})
