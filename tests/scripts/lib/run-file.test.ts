import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isAlive, startTime } from '../../../scripts/lib/process-group.ts'
import { RunFile } from '../../../scripts/lib/run-file.ts'

/** Starts a process that runs for a minute and leads its own process group. */
function longRunning(): { pid: number; startedAt: string; ended: Promise<unknown> } {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'ignore' })
  const pid = child.pid ?? 0
  return { pid, startedAt: startTime(pid) ?? '', ended: once(child, 'exit') }
}

describe('run.json', () => {
  let data: string
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'porchlight-run-'))
  })
  afterEach(() => rmSync(data, { recursive: true }))
  const write = (run: object) => writeFileSync(join(data, 'run.json'), JSON.stringify(run))

  test('a living supervisor keeps its folder: the second start says where the first one runs', async () => {
    const other = longRunning()
    write({ supervisor: other, url: 'http://localhost:8787', parts: {} })
    await expect(RunFile.claim(data, 'http://localhost:9000', process.cwd())).rejects.toThrow(
      /already runs on this data folder, at http:\/\/localhost:8787/,
    )
    process.kill(other.pid)
    await other.ended
  })

  test('what a killed supervisor left running is ended by the next start', async () => {
    const left = longRunning()
    write({ supervisor: { pid: 2 ** 22 + 1, startedAt: '1' }, url: 'http://localhost:8787', parts: { bridge: left } })
    await RunFile.claim(data, 'http://localhost:8787', process.cwd())
    await left.ended
    expect(isAlive(left)).toBe(false)
  })

  test('a file of another form names nobody', async () => {
    write({ supervisor: {}, parts: [] })
    const file = await RunFile.claim(data, 'http://localhost:8787', process.cwd())
    expect(JSON.parse(readFileSync(join(data, 'run.json'), 'utf8'))).toMatchObject({ url: 'http://localhost:8787' })
    file.release()
  })

  test('a process that only has the same id by now is left alone', async () => {
    const stranger = longRunning()
    write({
      supervisor: { pid: 2 ** 22 + 1, startedAt: '1' },
      url: '',
      parts: { bridge: { pid: stranger.pid, startedAt: 'another time' } },
    })
    await RunFile.claim(data, 'http://localhost:8787', process.cwd())
    expect(isAlive(stranger)).toBe(true)
    process.kill(stranger.pid)
    await stranger.ended
  })

  test('a file that a crash cut short does not stop the next start', async () => {
    writeFileSync(join(data, 'run.json'), '{"supervisor":{"pid":')
    await expect(RunFile.claim(data, 'http://localhost:8787', process.cwd())).resolves.toBeInstanceOf(RunFile)
  })

  test('a part that starts while nothing can be written runs, and is noted once there is room', async () => {
    const run = await RunFile.claim(data, 'http://localhost:8787', process.cwd())
    vi.useFakeTimers()
    try {
      mkdirSync(join(data, 'run.json.new'))
      run.set('bridge', process.pid)
      vi.advanceTimersByTime(6000)
      rmdirSync(join(data, 'run.json.new'))
      vi.advanceTimersByTime(6000)
    } finally {
      vi.useRealTimers()
    }
    const noted = JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { parts: unknown }
    expect(noted.parts).toEqual({ bridge: { pid: process.pid, startedAt: startTime(process.pid) } })
    run.release()
  })
})
