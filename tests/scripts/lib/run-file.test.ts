import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isAlive, readStartTime } from '../../../scripts/lib/process-group.ts'
import { RunFile } from '../../../scripts/lib/run-file.ts'

/** Starts a process that runs for a minute and leads its own process group. */
function startLongProcess(): { pid: number; startedAt: string; ended: Promise<unknown> } {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'ignore' })
  const pid = child.pid ?? 0
  return { pid, startedAt: readStartTime(pid) ?? '', ended: once(child, 'exit') }
}

describe('run.json', () => {
  let dataFolder: string
  beforeEach(() => {
    dataFolder = mkdtempSync(join(tmpdir(), 'porchlight-run-'))
  })
  afterEach(() => rmSync(dataFolder, { recursive: true }))
  const writeRunFile = (run: object) => writeFileSync(join(dataFolder, 'run.json'), JSON.stringify(run))

  test('a running supervisor keeps its folder: a second start reports the URL of the first', async () => {
    const other = startLongProcess()
    writeRunFile({ supervisor: other, url: 'http://localhost:8787', parts: {} })
    await expect(RunFile.claim(dataFolder, 'http://localhost:9000', process.cwd())).rejects.toThrow(
      /already running with this data folder at http:\/\/localhost:8787/,
    )
    process.kill(other.pid)
    await other.ended
  })

  test('the next start ends processes that a killed supervisor left running', async () => {
    const left = startLongProcess()
    writeRunFile({
      supervisor: { pid: 2 ** 22 + 1, startedAt: '1' },
      url: 'http://localhost:8787',
      parts: { bridge: left },
    })
    await RunFile.claim(dataFolder, 'http://localhost:8787', process.cwd())
    await left.ended
    expect(isAlive(left)).toBe(false)
  })

  test('a file with another format names no process', async () => {
    writeRunFile({ supervisor: {}, parts: [] })
    const file = await RunFile.claim(dataFolder, 'http://localhost:8787', process.cwd())
    expect(JSON.parse(readFileSync(join(dataFolder, 'run.json'), 'utf8'))).toMatchObject({
      url: 'http://localhost:8787',
    })
    file.release()
  })

  test('an unrelated process that reuses the process ID is left alone', async () => {
    const stranger = startLongProcess()
    writeRunFile({
      supervisor: { pid: 2 ** 22 + 1, startedAt: '1' },
      url: '',
      parts: { bridge: { pid: stranger.pid, startedAt: 'another time' } },
    })
    await RunFile.claim(dataFolder, 'http://localhost:8787', process.cwd())
    expect(isAlive(stranger)).toBe(true)
    process.kill(stranger.pid)
    await stranger.ended
  })

  test('a file truncated by a crash does not stop the next start', async () => {
    writeFileSync(join(dataFolder, 'run.json'), '{"supervisor":{"pid":')
    await expect(RunFile.claim(dataFolder, 'http://localhost:8787', process.cwd())).resolves.toBeInstanceOf(RunFile)
  })

  test('a process that starts while writing fails keeps running, and is recorded once writing works', async () => {
    const run = await RunFile.claim(dataFolder, 'http://localhost:8787', process.cwd())
    vi.useFakeTimers()
    try {
      mkdirSync(join(dataFolder, 'run.json.new'))
      run.recordProcess('bridge', process.pid)
      vi.advanceTimersByTime(6000)
      rmdirSync(join(dataFolder, 'run.json.new'))
      vi.advanceTimersByTime(6000)
    } finally {
      vi.useRealTimers()
    }
    const storedRun = JSON.parse(readFileSync(join(dataFolder, 'run.json'), 'utf8')) as { parts: unknown }
    expect(storedRun.parts).toEqual({ bridge: { pid: process.pid, startedAt: readStartTime(process.pid) } })
    run.release()
  })
})
