import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SupervisedProcess, type ProcessOptions } from '../../../scripts/lib/supervised-process.ts'
import { findFreePort } from '../../../scripts/lib/ports.ts'
import { checkUrl } from '../../../scripts/lib/health-check.ts'
import { START_WAIT_OPTIONS } from '../../support/porchlight.ts'

let folder: string
const startedProcesses: SupervisedProcess[] = []
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'part-'))))
afterAll(async () => {
  await Promise.all(startedProcesses.map((part) => part.stop()))
  rmSync(folder, { recursive: true })
})

/**
 * Starts a supervised process that runs `program`. In the result, `pids` lists the process id of each start, and
 * `output` lists the supervisor's messages.
 */
async function startProcess(program: string, overrides: Partial<ProcessOptions>) {
  const pids: number[] = []
  const output: string[] = []
  const part = new SupervisedProcess({
    name: 'part',
    command: process.execPath,
    args: ['-e', program],
    cwd: folder,
    env: process.env,
    logFile: join(folder, `${startedProcesses.length}.log`),
    probe: async () => 'answers',
    onStart: (pid) => pids.push(pid),
    say: (line) => output.push(line),
    ...overrides,
  })
  startedProcesses.push(part)
  await part.start()
  return {
    pids,
    output,
    waitForReplacement: () => vi.waitFor(() => expect(output).toContain('The part is back.'), START_WAIT_OPTIONS),
  }
}

/** Source of a server whose `busy` parameter blocks its one thread for that many ms. */
const buildServerSource = (port: number) => `
  require('node:http').createServer((request, answer) => {
    const until = Date.now() + Number(/busy=(\\d+)/.exec(request.url)?.[1] ?? 0)
    while (Date.now() < until);
    answer.end()
  }).listen(${port}, '127.0.0.1')`

describe.concurrent('a supervised process', () => {
  test('a server that is suspended is replaced after its timeout', async () => {
    const port = await findFreePort()
    const { pids, waitForReplacement } = await startProcess(buildServerSource(port), {
      probe: (waitMs) => checkUrl(`http://127.0.0.1:${port}/`, waitMs),
      checkTimeoutMs: 3000,
    })
    process.kill(pids[0] ?? 0, 'SIGSTOP')
    await waitForReplacement()
    expect(pids).toHaveLength(2)
  })

  test('a server that is busy for a while is not replaced', async () => {
    const port = await findFreePort()
    const waits: number[] = []
    const probe = async (waitMs: number) => {
      const began = performance.now()
      const pulse = await checkUrl(`http://127.0.0.1:${port}/`, waitMs)
      waits.push(performance.now() - began)
      return pulse
    }
    const { pids, output } = await startProcess(buildServerSource(port), { probe, checkTimeoutMs: 60_000 })
    await fetch(`http://127.0.0.1:${port}/?busy=7000`)
    // At least one probe took more than 3 s, but its late response still counts as healthy.
    await vi.waitFor(() => expect(Math.max(...waits)).toBeGreaterThan(3000), START_WAIT_OPTIONS)
    expect([pids.length, output]).toEqual([1, []])
  })

  test.each([
    ['blocks its event loop', "process.on('message', (asked) => asked && (() => { for (;;); })())"],
    ['does not respond', "process.on('message', () => {})"],
  ])('a process that %s is replaced', async (_, program) => {
    const { pids, waitForReplacement } = await startProcess(program, { hasChannel: true, checkTimeoutMs: 1000 })
    await waitForReplacement()
    expect(pids.length).toBeGreaterThan(1)
  })

  test('a process that responds over its channel is not replaced', async () => {
    let answered = 0
    const { pids } = await startProcess(
      "process.on('message', () => { console.log('asked'); process.send('alive') })",
      {
        hasChannel: true,
        checkTimeoutMs: 60_000,
        onLine: () => (answered += 1),
      },
    )
    await vi.waitFor(() => expect(answered).toBeGreaterThan(2), START_WAIT_OPTIONS)
    expect(pids).toHaveLength(1)
  })
})
