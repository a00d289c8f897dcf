import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { isAlive, isGroupPaused, pauseGroup, resumeGroup, type ProcessGroup } from '../process-group.ts'
import { StopError } from '../stop.ts'

/** Maximum pause, ms. The supervisor restarts a process that does not respond for 20 s. */
const FREEZE_LIMIT_MS = 10_000

/**
 * Pauses process groups, runs `work`, and resumes them. While they are paused, their files have the content of one
 * moment, as after a power failure. `work` gets a function that throws a `StopError` after `FREEZE_LIMIT_MS`. Returns
 * null if a group ended or was resumed meanwhile, so that the caller must repeat the work.
 */
export async function runFrozen<T>(
  groups: readonly ProcessGroup[],
  work: (checkTime: () => void) => Promise<T>,
): Promise<T | null> {
  if (groups.length === 0) return await work(() => undefined)
  const guard = await startGuard(groups)
  try {
    const until = Date.now() + FREEZE_LIMIT_MS
    for (const { pid } of groups) await pauseGroup(pid)
    const result = await work(() => {
      if (Date.now() > until) throw new StopError(TOO_SLOW)
    })
    return groups.every((group) => isAlive(group) && isGroupPaused(group.pid)) ? result : null
  } finally {
    for (const { pid } of groups) resumeGroup(pid)
    guard.stdin?.end()
  }
}

const TOO_SLOW = `The disk is too slow to copy the data while Porchlight runs. Stop Porchlight, make the backup, and start Porchlight again.`

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
