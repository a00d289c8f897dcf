import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { scaleTimeout } from '../support/machine.ts'
import {
  launchPorchlight,
  type Porchlight,
  waitForOutput,
  startPorchlight,
  stopPorchlight,
} from '../support/porchlight.ts'
import { RtspServer } from '../support/rtsp-server.ts'

const PASSWORD = 'p@ss-word'
const h264Stream = readFileSync(new URL('../../scenes/rendered/street/day-quiet.360.h264', import.meta.url))

/** Reads a file in /proc. Returns '' if the process has ended or belongs to another user. */
function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

describe('npm start with a camera', { timeout: scaleTimeout(120_000) }, () => {
  let dataFolder: string
  let camera: RtspServer
  let cameraPort: number
  let porchlight: Porchlight
  const startCamera = () =>
    RtspServer.start({ stream: h264Stream, credentials: { user: 'user', password: PASSWORD } }, cameraPort)

  beforeAll(async () => {
    dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-camera-'))
    cameraPort = await findFreePort()
    camera = await startCamera()
    const url = `rtsp://user:${encodeURIComponent(PASSWORD)}@127.0.0.1:${cameraPort}/stream1`
    const list = join(dataFolder, 'list.txt')
    writeFileSync(list, `# the street\n${url} Street\n`, { mode: 0o600 })
    porchlight = await startPorchlight(dataFolder, await findFreePort(), ['--camera-file', list])
  })
  afterAll(async () => {
    await stopPorchlight(porchlight)
    await camera.close()
    rmSync(dataFolder, { recursive: true })
  })

  test('plays the camera, and the terminal says so', async () => {
    await waitForOutput(porchlight, 'Street is live.')
    expect(camera.playCount).toBeGreaterThan(0)
  })

  test('reports a camera that goes down and reconnects to it automatically', async () => {
    await camera.close()
    await waitForOutput(porchlight, 'Street: The camera')
    camera = await startCamera()
    await waitForOutput(porchlight, 'Street is live.', 2)
  })

  test('keeps the camera password out of logs and terminal, and in one owner-only file', () => {
    const logs = readdirSync(join(dataFolder, 'logs')).map((name) =>
      readFileSync(join(dataFolder, 'logs', name), 'utf8'),
    )
    const output = [...logs, ...porchlight.lines].join('\n')
    expect(output).not.toContain(PASSWORD)
    expect(output).not.toContain(encodeURIComponent(PASSWORD))
    expect(statSync(join(dataFolder, 'cameras.json')).mode & 0o777).toBe(0o600)
  })

  test.skipIf(process.platform !== 'linux')(
    'keeps the password of a playing camera out of all process arguments and environments',
    async () => {
      await waitForOutput(porchlight, 'Street is live.')
      const processes = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
        .flatMap((pid) => ['cmdline', 'environ'].map((file) => [pid, readProcFile(`/proc/${pid}/${file}`)] as const))
      const ffmpegs = processes.filter(([, content]) => content.startsWith('ffmpeg\0'))
      expect(ffmpegs.length).toBeGreaterThan(0)
      for (const word of [PASSWORD, encodeURIComponent(PASSWORD)])
        expect(processes.filter(([, content]) => content.includes(word)).map(([pid]) => pid)).toEqual([])
    },
  )

  test('stops with an explanation for an invalid camera address, without repeating its password', async () => {
    const other = mkdtempSync(join(tmpdir(), 'porchlight-camera-'))
    const rejectedStart = launchPorchlight(other, await findFreePort(), [
      '--camera',
      'http://user:hidden-word@127.0.0.1/',
    ])
    const [code] = (await once(rejectedStart.child, 'close')) as [number]
    expect(code).toBe(1)
    expect(rejectedStart.lines.at(-1)).toContain(
      "This isn't a camera address. Enter an address like rtsp://192.168.1.20:554/stream1.",
    )
    expect(rejectedStart.lines.join('\n')).not.toContain('hidden-word')
    rmSync(other, { recursive: true })
  })
})
