import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readStartTime } from '../../scripts/lib/process-group.ts'
import { findFreePort } from '../../scripts/lib/ports.ts'
import { checkUrl } from '../../scripts/lib/health-check.ts'
import { scaleTimeout } from '../support/machine.ts'
import { expectNoLeak } from '../support/secrets.ts'
import {
  launchPorchlight,
  START_WAIT_OPTIONS,
  type Porchlight,
  readRunRecord,
  startPorchlight,
  stopPorchlight,
} from '../support/porchlight.ts'

const isHealthy = async (port: number) => (await checkUrl(`http://127.0.0.1:${port}/healthz`, 2000)) === 'answers'

describe('npm start', { timeout: scaleTimeout(480_000) }, () => {
  let dataFolder: string
  let port: number
  let porchlight: Porchlight

  const isPortalHealthy = () => isHealthy(port)
  const isProviderHealthy = () => isHealthy(port + 1)

  beforeAll(async () => {
    dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-supervisor-'))
    port = await findFreePort()
    porchlight = await startPorchlight(dataFolder, port)
  })
  afterAll(async () => {
    await stopPorchlight(porchlight)
    rmSync(dataFolder, { recursive: true })
  })

  test('answers on its ports once it reports ready, on the third with only the card page', async () => {
    expect(await isPortalHealthy()).toBe(true)
    expect(await isProviderHealthy()).toBe(true)
    const card = `http://127.0.0.1:${port + 2}`
    expect((await fetch(`${card}/healthz`)).status).toBe(200)
    expect((await fetch(`${card}/oauth/jwks`)).status).toBe(404)
  })

  test('exposes none of its tables and objects on its ports', async () => {
    const tools = ['', '/api/d1/database', '/api/workers/durable_objects/namespaces']
    const requests = [port, port + 1, port + 2].flatMap((at) =>
      tools.map((tool) => fetch(`http://127.0.0.1:${at}/cdn-cgi/local/explorer${tool}`)),
    )
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(requests.map(() => 404))
  })

  test('writes no secret into the repository or into a file that browsers can fetch', () => {
    expectNoLeak(dataFolder)
  })

  test('rejects a second start on the same folder and says where the first one runs', async () => {
    const second = launchPorchlight(dataFolder, port)
    const [code] = (await once(second.child, 'close')) as [number]
    expect(code).toBe(1)
    expect(second.lines.join('\n')).toContain(
      `Porchlight is already running with this data folder at http://localhost:${port}.`,
    )
  })

  test.each(['portal', 'provider', 'bridge'])('restarts the %s after kill -9 of its whole group', async (part) => {
    const before = readRunRecord(dataFolder).parts[part]?.pid ?? 0
    process.kill(-before, 'SIGKILL')
    await vi.waitFor(
      () => expect(porchlight.lines.filter((line) => line === `The ${part} is back.`)).toHaveLength(1),
      START_WAIT_OPTIONS,
    )
    expect(readRunRecord(dataFolder).parts[part]?.pid).not.toBe(before)
    expect([await isPortalHealthy(), await isProviderHealthy()]).toEqual([true, true])
  })

  test('restarts the provider when only its runtime is killed', async () => {
    const group = readRunRecord(dataFolder).parts['provider']?.pid ?? 0
    const runtime =
      listProcesses().find((row) => row.group === group && /\bworkerd serve\b/.test(row.command))?.pid ?? 0
    process.kill(runtime, 'SIGKILL')
    await vi.waitFor(() => expect(readStartTime(runtime)).toBeNull(), START_WAIT_OPTIONS)
    await vi.waitFor(async () => expect(await isProviderHealthy()).toBe(true), START_WAIT_OPTIONS)
  })

  test('ends leftover processes and works on the next start after kill -9 of the supervisor', async () => {
    const leftoverPids = Object.values(readRunRecord(dataFolder).parts).map((part) => part.pid)
    process.kill(readRunRecord(dataFolder).supervisor.pid, 'SIGKILL')
    await once(porchlight.child, 'exit')
    porchlight = await startPorchlight(dataFolder, port)
    expect(leftoverPids.filter((pid) => readStartTime(pid) !== null)).toEqual([])
    expect([await isPortalHealthy(), await isProviderHealthy()]).toEqual([true, true])
  })

  test('stops everything on Ctrl-C and leaves no process behind', async () => {
    const groups = Object.values(readRunRecord(dataFolder).parts).map((part) => part.pid)
    expect(listProcesses().filter(({ group }) => groups.includes(group)).length).toBeGreaterThanOrEqual(groups.length)
    process.kill(readRunRecord(dataFolder).supervisor.pid, 'SIGINT')
    await once(porchlight.child, 'exit')
    const isLeftover = ({ group, command }: ProcessRow) => groups.includes(group) || command.includes(dataFolder)
    expect(listProcesses().filter(isLeftover)).toEqual([])
    expect([await isPortalHealthy(), await isProviderHealthy()]).toEqual([false, false])
  })
})

interface ProcessRow {
  readonly pid: number
  readonly group: number
  readonly command: string
}

/** Lists all processes, without zombies. The options of `ps` work on Linux and macOS. */
const listProcesses = (): ProcessRow[] =>
  execFileSync('ps', ['-A', '-ww', '-o', 'pid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'command='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((row) => {
      const [, pid, group, state = 'Z', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(row) ?? []
      return state.startsWith('Z') ? [] : [{ pid: Number(pid), group: Number(group), command }]
    })
