import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { printDiscoveredCameras } from '../../../bridge/discovery/discover-command.ts'
import { fetchCameraTime } from '../../../bridge/discovery/onvif.ts'
import { findOnvifCameras } from '../../../bridge/discovery/ws-discovery.ts'
import type { CameraUser } from '../../../bridge/discovery/soap.ts'
import { OnvifCamera, type OnvifOptions } from '../../support/onvif-camera.ts'

const RESPONDER_SCRIPT = new URL('../../support/wsd-responder.py', import.meta.url).pathname
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end()
})

async function startCamera(options: OnvifOptions = {}): Promise<OnvifCamera> {
  const started = await OnvifCamera.start(options)
  cleanups.push(() => started.close())
  return started
}

/** Returns the discovery output for a network whose only camera is `at`. */
async function printDiscovery(camera: OnvifCamera, user?: CameraUser): Promise<string[]> {
  const lines: string[] = []
  expect(
    await printDiscoveredCameras(user, (line) => void lines.push(line), {
      to: camera.probeAddress,
      from: ['127.0.0.1'],
      waitMs: 300,
    }),
  ).toBe(1)
  return lines
}

const credentials = { name: 'm<e', password: 'secret-word' }
const STREAM_LINES = ['    rtsp://127.0.0.1:554/live?a=1&sub=0', '    rtsp://127.0.0.1:554/live?a=1&sub=1']

test('discovery prints a camera’s name, addresses (main stream first) and the command to add it', async () => {
  const lines = await printDiscovery(await startCamera())
  expect(lines[0]).toBe('Front Door at 127.0.0.1')
  expect(lines[1]).toContain('node scripts/bridge.mjs add-camera - --data DIR --name "Front Door"')
  expect(lines.slice(3)).toEqual(STREAM_LINES)
})

test('discovery explains how to give the credentials of a camera that requires a user', async () => {
  expect((await printDiscovery(await startCamera({ user: credentials })))[1]).toMatch(
    /list its streams\. Run this command, .*: node scripts\/bridge\.mjs discover -$/,
  )
})

test('discovery with credentials prints the addresses, whatever the camera’s clock, and never sends the password itself', async () => {
  const found = await startCamera({
    user: { name: 'm&lt;e', password: credentials.password },
    clockErrorMs: -3_600_000,
  })
  expect((await printDiscovery(found, credentials)).slice(3)).toEqual(STREAM_LINES)
  expect(found.requests.length).toBeGreaterThan(3)
  expect(found.requests.join()).not.toContain(credentials.password)
})

test('discovery reports a wrong password', async () => {
  expect(
    (await printDiscovery(await startCamera({ user: credentials }), { ...credentials, password: 'other' }))[1],
  ).toMatch(/Wrong username or password/)
})

test('discovery without a response says that adding a camera by its address always works', async () => {
  const closedCamera = await OnvifCamera.start()
  const { probeAddress } = closedCamera
  await closedCamera.close()
  const lines: string[] = []
  expect(
    await printDiscoveredCameras(undefined, (line) => void lines.push(line), {
      to: probeAddress,
      from: ['127.0.0.1'],
      waitMs: 100,
    }),
  ).toBe(0)
  expect(lines).toEqual([expect.stringMatching(/docs\/cameras\.md/)])
})

test('the clock of a camera is read over ONVIF, and is unknown without a response', async () => {
  const { serviceUrl } = await startCamera({ clockErrorMs: 7_200_000 })
  const off = ((await fetchCameraTime('127.0.0.1', serviceUrl))?.getTime() ?? 0) - Date.now()
  expect(Math.abs(off - 7_200_000)).toBeLessThan(3000)
  expect(await fetchCameraTime('127.0.0.1', 'http://127.0.0.1:1/')).toBeUndefined()
})

test('discovery reads only the beginning of an endless response and then leaves the camera alone', async () => {
  const flooding = await startCamera({ floodText: 'no end ' })
  expect((await printDiscovery(flooding))[1]).toMatch(/didn't report a stream/)
  expect(flooding.requests).toHaveLength(2)
  // The limit is generous: `floodedBytes` also counts bytes in socket buffers that the bridge never reads.
  expect(flooding.floodedBytes).toBeLessThan(32 * 1024 * 1024)
})

test('discovery requests the streams of only the first 16 profiles of a recorder', async () => {
  const recorder = await startCamera({ profileCount: 60 })
  expect((await printDiscovery(recorder)).slice(3)).toHaveLength(2)
  expect(recorder.requests.filter((xml) => xml.includes('GetStreamUri'))).toHaveLength(16)
})

test('a probe lists only the first 32 of many devices', async () => {
  const hosts = Array.from({ length: 40 }, (_, i) => `127.0.0.${i + 2}`)
  const { probeAddress } = await startCamera({ answerHosts: hosts })
  const { found } = await findOnvifCameras({ to: probeAddress, from: ['127.0.0.1'], waitMs: 500 })
  expect(new Set(found.map(({ host }) => host)).size).toBe(32)
  expect(found).toHaveLength(32)
})

test('discovery finds a camera by probing the multicast group that it listens to', async (context) => {
  const { serviceUrl } = await startCamera()
  const responder = spawn('/usr/bin/python3', [RESPONDER_SCRIPT, serviceUrl], { stdio: ['ignore', 'pipe', 'ignore'] })
  cleanups.push(() => responder.kill('SIGKILL'))
  const responderOutput = createInterface({ input: responder.stdout })
  const [first] = (await Promise.race([once(responderOutput, 'line'), once(responder, 'error')])) as [unknown]
  if (first !== 'ready')
    return context.skip(`Multicast on loopback needs Python 3 and a system that lets it: ${String(first)}`)
  const lines: string[] = []
  expect(
    await printDiscoveredCameras(undefined, (line) => void lines.push(line), { from: ['127.0.0.1'], waitMs: 500 }),
  ).toBe(1)
  expect(lines[0]).toBe('Yard at 127.0.0.1')
  expect(lines.slice(3)).toEqual(STREAM_LINES)
  return undefined
})

test.each([
  ['its network is gone', { from: ['192.0.2.1'] }, /bind EADDRNOTAVAIL 192\.0\.2\.1/],
  [
    'its system refuses to send',
    { from: ['127.0.0.1'], to: { address: '192.0.2.1', port: 3702 } },
    /send E[A-Z]+ .*3702/,
  ],
  ['it is in no network', { from: [] }, /this computer isn't connected to a network/],
])(
  'a computer that cannot probe because %s reports it and says that an address always works',
  async (_, options, why) => {
    const lines: string[] = []
    expect(await printDiscoveredCameras(undefined, (line) => void lines.push(line), { waitMs: 500, ...options })).toBe(
      0,
    )
    expect(lines).toEqual([expect.stringMatching(/multicast/)])
    expect(lines[0]).toMatch(why)
    expect(lines[0]).toMatch(/docs\/cameras\.md/)
  },
)
