import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { isAlive, isGroupPaused, pauseGroup, resumeGroup, type ProcessGroup } from '../process-group.ts'
import { StopError } from '../stop.ts'

/** Maximum pause, ms. The supervisor restarts a process that does not respond for 20 s. */
const FREEZE_LIMIT_MS = 10_000

/**
 * Pauses process groups, runs `work`, and resumes them. While they are paused, their files have the content of one
 * moment, as after a power failure. `work` gets a function that throws a `StopError` after `limitMs`. The processes run
 * again after this time, also if `work` still copies one large file; then throws a `StopError`. Returns null if a group
 * ended or was resumed meanwhile, so that the caller must repeat the work.
 */
export async function runFrozen<T>(
  groups: readonly ProcessGroup[],
  work: (checkTime: () => void) => Promise<T>,
  limitMs = FREEZE_LIMIT_MS,
): Promise<T | null> {
  if (groups.length === 0) return await work(() => undefined)
  const guard = await startGuard(groups)
  const resume = () => groups.forEach(({ pid }) => resumeGroup(pid))
  const until = Date.now() + limitMs
  let isTooSlow = false
  const timer = setTimeout(() => {
    isTooSlow = true
    resume()
  }, limitMs)
  const checkTime = () => {
    if (isTooSlow || Date.now() > until) throw new StopError(TOO_SLOW)
  }
  try {
    for (const { pid } of groups) if (!(await pauseGroup(pid, until))) throw new StopError(NOT_PAUSED)
    const result = await work(checkTime)
    checkTime()
    return groups.every((group) => isAlive(group) && isGroupPaused(group.pid)) ? result : null
  } finally {
    clearTimeout(timer)
    resume()
    guard.stdin?.end()
  }
}

const TOO_SLOW = `The disk is too slow to copy the data while Porchlight runs. No backup was made. Stop Porchlight, make the backup, and start Porchlight again.`

const NOT_PAUSED = `Porchlight's processes couldn't be paused, because the disk is too busy. No backup was made. Try again later, or stop Porchlight first.`

/**
 * Starts a shell that resumes the groups when this process ends, even after `kill -9`. The shell waits for the end of
 * its standard input, which only this process holds open.
 */
async function startGuard(groups: readonly ProcessGroup[]): Promise<ChildProcess> {
  const resume = groups.map(({ pid }) => `kill -s CONT -- -${pid}`).join('; ')
  const guard = spawn('/bin/sh', ['-c', `trap '' TERM INT HUP; echo ready; read -r line; ${resume}`], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  guard.stdin.on('error', () => undefined)
  await once(guard.stdout, 'data')
  guard.unref()
  return guard
}
