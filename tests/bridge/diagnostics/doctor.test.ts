import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import {
  formatClockFinding,
  diagnoseCameras,
  diagnoseAddress,
  formatFindings,
} from '../../../bridge/diagnostics/doctor.ts'
import { scaleTimeout } from '../../support/machine.ts'
import { RtspServer, type RtspServerOptions } from '../../support/rtsp-server.ts'
import { joinAnnexB, encodeTestPatternStream, ACTION_PICTURES, ACTION_STREAM } from '../../support/bridge-streams.ts'
import { parseReason } from '../../support/camera-reasons.ts'
import { extractFacts } from '../../support/facts.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

async function startCamera(options: Partial<RtspServerOptions> = {}): Promise<RtspServer> {
  const server = await RtspServer.start({ stream: ACTION_STREAM, ...options })
  cleanups.push(() => server.close())
  return server
}

const healthyCamera = {
  width: 640,
  height: 360,
  fps: 15,
  kbits: 500,
  keyframeMs: 1000,
  transcoded: false,
  udp: false,
  reordered: false,
  sound: 'heard',
} as const

test('describes a working camera', async () => {
  const { wrong, lines } = await diagnoseAddress((await startCamera({ sound: 'tone' })).url())
  expect(wrong).toBe(false)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/H\.264.* 640x360.* 1\d\D+ \d+ kbit\/s.*\bwith sound/)
})

test(
  'the doctor reports unreadable sound as no sound, and names the codecs to choose',
  { timeout: scaleTimeout(40_000) },
  async () => {
    const { wrong, lines } = await diagnoseAddress((await startCamera({ sound: 'unreadable' })).url())
    expect(wrong).toBe(false)
    expect(lines[0]).toMatch(/sound/)
    expect(lines[1]).toMatch(/sound.* AAC .*G\.711/)
  },
)

test('reports a wrong password without repeating it', async () => {
  const server = await startCamera({ credentials: { user: 'me', password: 'right' } })
  const { wrong, lines } = await diagnoseAddress(server.url('me:wrong'))
  expect([wrong, lines.map(parseReason)]).toEqual([true, ['wrong login']])
})

test('distinguishes a closed port, a port with another protocol and an address without a host', async () => {
  const server = await startCamera()
  await server.close()
  const { port } = server
  const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1')
  cleanups.push(() => web.close())
  await once(web, 'listening')
  const firstLines = await Promise.all(
    [`rtsp://127.0.0.1:${port || 1}/x`, `rtsp://127.0.0.1:${(web.address() as AddressInfo).port}/x`, 'rtsp:///x'].map(
      async (url) => (await diagnoseAddress(url)).lines[0],
    ),
  )
  expect(firstLines[0]).toMatch(/port \d+ is closed/)
  expect(firstLines[1]).toMatch(/not with RTSP/)
  expect(firstLines[2]).toMatch(/isn't a camera address/)
})

test('examining a camera reports an unknown hostname, rare keyframes and a wrong clock', async () => {
  const unknown = await diagnoseAddress('rtsp://no-such-camera.invalid/x')
  expect(unknown.lines[0]).toMatch(/\bno-such-camera\.invalid\b.*\bIP\b/)
  const pictures = ACTION_PICTURES.slice(0, 15)
  const nals = [pictures[0]!, ...Array.from({ length: 5 }, () => pictures.slice(1)).flat()].flatMap(({ nals }) => nals)
  const rare = await startCamera({ stream: joinAnnexB(nals), fps: 30, date: new Date(Date.now() - 3 * 3_600_000) })
  const { wrong, lines } = await diagnoseAddress(rare.url())
  expect(wrong).toBe(false)
  expect(lines[1]).toMatch(/^Keyframes .* [2-9]\.\d seconds\b/)
  expect(extractFacts(lines.at(-1) ?? '', 'clock', 'NTP')).toEqual(['clock', '3 hours', 'NTP'])
})

test('reports what B-frames cost and what to do about them', async () => {
  const { wrong, lines } = await diagnoseAddress(
    (await startCamera({ stream: encodeTestPatternStream('bframes=3'), speedFactor: 4 })).url(),
  )
  expect(wrong).toBe(false)
  expect(lines.filter((line) => /B-frames/.test(line))).toHaveLength(1)
})

test('warns when others can read the passwords', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'doctor-'))
  cleanups.push(() => rm(dataFolder, { recursive: true }))
  await writeFile(join(dataFolder, 'cameras.json'), '{"cameras":[]}', { mode: 0o600 })
  const lines: string[] = []
  await diagnoseCameras(undefined, dataFolder, (line) => void lines.push(line))
  await chmod(join(dataFolder, 'cameras.json'), 0o644)
  await diagnoseCameras(undefined, dataFolder, (line) => void lines.push(line))
  expect(lines.filter((line) => line.includes('passwords'))).toHaveLength(1)
})

test('gives separate advice for rare keyframes, H.265 and large frames', () => {
  expect(formatFindings(healthyCamera)).toHaveLength(1)
  expect(formatFindings({ ...healthyCamera, keyframeMs: 4000 })[1]).toMatch(/every 4\.0 seconds\. Set the keyframe/)
  expect(formatFindings({ ...healthyCamera, keyframeMs: undefined })[1]).toMatch(/No second keyframe/)
  expect(formatFindings({ ...healthyCamera, transcoded: true })[1]).toMatch(/Choose H\.264/)
  expect(formatFindings({ ...healthyCamera, sound: 'broken' })[1]).toMatch(/Choose AAC or G\.711/)
  expect(formatFindings({ ...healthyCamera, width: 1920, height: 1080 })[1]).toMatch(/sub-stream/)
})

test('the sample in docs/cameras.md is what the doctor prints', async () => {
  const guide = await readFile('docs/cameras.md', 'utf8')
  const sample = guide.split('```\n').find((block) => block.startsWith('rtsp://***@')) ?? ''
  const findings = formatFindings({ ...healthyCamera, width: 1920, height: 1080, kbits: 1840, keyframeMs: 4000 })
  expect(sample.split('\n')).toEqual([
    'rtsp://***@192.168.1.20/stream1: OK',
    ...findings.map((finding) => `  ${finding}`),
    '',
  ])
})

test('reports a clock that is off by more than a minute, in minutes or hours', () => {
  const now = Date.UTC(2026, 10, 20)
  expect(formatClockFinding(undefined, now)).toEqual([])
  expect(formatClockFinding(new Date(now - 59_000), now)).toEqual([])
  expect(formatClockFinding(new Date(now - 600_000), now)[0]).toMatch(/off by 10 minutes/)
  expect(formatClockFinding(new Date(now + 5 * 3_600_000), now)[0]).toMatch(/off by 5 hours/)
})

test('the documented command runs on a Node that cannot load TypeScript', () => {
  const command = ['--no-experimental-strip-types', 'scripts/bridge.mjs', 'doctor', '-']
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { input: 'no address\n', encoding: 'utf8' })
  expect(stdout).toMatch(/: no video\n {2}This isn't a camera address/)
  expect([stderr, status]).toEqual(['', 1])
})
