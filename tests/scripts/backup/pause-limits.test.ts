import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runFrozen } from '../../../scripts/lib/backup/freeze.ts'
import { isGroupPaused, readStartTime } from '../../../scripts/lib/process-group.ts'
import { createTestFolder } from '../../support/backups.ts'

const LIMIT_MS = 300
const WAIT_OPTIONS = { timeout: 60_000, interval: 20 }

let folder: string
let child: ChildProcess
beforeEach(() => (folder = createTestFolder()))
afterEach(async () => {
  const ended = once(child, 'exit')
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await ended
  rmSync(folder, { recursive: true })
})

function startGroup(program: string, args: readonly string[]) {
  child = spawn(program, args, { detached: true, stdio: 'ignore' })
  const pid = child.pid ?? 0
  return { pid, startedAt: readStartTime(pid) ?? '' }
}

test('processes run again after the time limit, also while the copy of one file still takes', async () => {
  const group = startGroup('sleep', ['600'])
  const work = () => vi.waitFor(() => expect(isGroupPaused(group.pid)).toBe(false), WAIT_OPTIONS)
  await expect(runFrozen([group], work, LIMIT_MS)).rejects.toThrow(/^The disk is too slow to copy the data/)
  expect(isGroupPaused(group.pid)).toBe(false)
})

const listTasks = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
const readState = (pid: number) => /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]

/** Waits in the kernel for its child, which waits for the other end of a FIFO. Such a process can't be stopped. */
const UNSTOPPABLE = `import os, sys
os.mkfifo(sys.argv[1])
os.posix_spawn('/bin/true', ['true'], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 3, sys.argv[1], os.O_RDONLY, 0)])`

const canBlock = process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0

test.skipIf(!canBlock)('a process that does not stop ends the backup, and the others run again', async () => {
  const group = startGroup('python3', ['-c', UNSTOPPABLE, join(folder, 'fifo')])
  // Before it has a child, the process may wait for the disk, and stops afterwards.
  const describeGroup = () => [listTasks(group.pid).length, readState(group.pid)]
  await vi.waitFor(() => expect(describeGroup()).toEqual([1, 'D']), WAIT_OPTIONS)
  const [spawned = 0] = listTasks(group.pid)
  const work = vi.fn(() => Promise.resolve())
  await expect(runFrozen([group], work, LIMIT_MS)).rejects.toThrow(/^Porchlight's processes couldn't be paused/)
  expect(work).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(readState(spawned)).toBe('S'), WAIT_OPTIONS)
})
