import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTime } from '../../scripts/lib/process-group.ts'
import { anyFreePort } from '../../scripts/lib/ports.ts'
import { checkUrl } from '../../scripts/lib/pulse.ts'
import { scaled } from '../support/machine.ts'
import { expectNoLeak } from '../support/secrets.ts'
import { launch, PATIENCE, type Porchlight, runRecord, startPorchlight, stopPorchlight } from '../support/porchlight.ts'

const answers = async (port: number) => (await checkUrl(`http://127.0.0.1:${port}/healthz`, 2000)) === 'answers'

/** Starts all of Porchlight. The tests kill its processes one by one with SIGKILL. */
describe('npm start', { timeout: scaled(480_000) }, () => {
  let data: string
  let port: number
  let run: Porchlight

  const portal = () => answers(port)
  const provider = () => answers(port + 1)

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'porchlight-supervisor-'))
    port = await anyFreePort()
    run = await startPorchlight(data, port)
  })
  afterAll(async () => {
    await stopPorchlight(run)
    rmSync(data, { recursive: true })
  })

  test('answers on its ports once it reports ready, on the third with only the card page', async () => {
    expect(await portal()).toBe(true)
    expect(await provider()).toBe(true)
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
    expectNoLeak(data)
  })

  test('rejects a second start on the same folder and says where the first one runs', async () => {
    const second = launch(data, port)
    const [code] = (await once(second.child, 'close')) as [number]
    expect(code).toBe(1)
    expect(second.lines.join('\n')).toContain(
      `Porchlight already runs on this data folder, at http://localhost:${port}.`,
    )
  })

  test.each(['portal', 'provider', 'bridge'])('restarts the %s after kill -9 of its whole group', async (part) => {
    const before = runRecord(data).parts[part]?.pid ?? 0
    process.kill(-before, 'SIGKILL')
    await vi.waitFor(
      () => expect(run.lines.filter((line) => line === `The ${part} is back.`)).toHaveLength(1),
      PATIENCE,
    )
    expect(runRecord(data).parts[part]?.pid).not.toBe(before)
    expect([await portal(), await provider()]).toEqual([true, true])
  })

  test('restarts the provider when only its runtime is killed', async () => {
    const group = runRecord(data).parts['provider']?.pid ?? 0
    const runtime = listProcesses(group).find((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'workerd')
    process.kill(Number(runtime), 'SIGKILL')
    await vi.waitFor(() => expect(startTime(Number(runtime))).toBeNull(), PATIENCE)
    await vi.waitFor(async () => expect(await provider()).toBe(true), PATIENCE)
  })

  test('ends leftover processes and works on the next start after kill -9 of the supervisor', async () => {
    const left = Object.values(runRecord(data).parts).map((part) => part.pid)
    process.kill(runRecord(data).supervisor.pid, 'SIGKILL')
    await once(run.child, 'exit')
    run = await startPorchlight(data, port)
    expect(left.filter((pid) => startTime(pid) !== null)).toEqual([])
    expect([await portal(), await provider()]).toEqual([true, true])
  })

  test('stops everything on Ctrl-C and leaves no process behind', async () => {
    process.kill(runRecord(data).supervisor.pid, 'SIGINT')
    await once(run.child, 'exit')
    expect(processesWith(data)).toEqual([])
    expect([await portal(), await provider()]).toEqual([false, false])
  })
})

function listProcesses(group: number): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[2] === String(group)
      )
    } catch {
      return false
    }
  })
}

function processesWith(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) || readlinkSync(`/proc/${pid}/cwd`) === folder)
      )
    } catch {
      return false
    }
  })
}
