import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Process group that this project started, identified by id and start time of its leader. The start time distinguishes
 * the leader from a later process with the same id.
 */
export interface ProcessGroup {
  readonly pid: number
  readonly startedAt: string
}

/**
 * Returns the start time of a process as an opaque value to compare; null if there is no such process or, on Linux, if
 * the process is a zombie.
 */
export function readStartTime(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' ? null : (fields[19] ?? null)
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}

export function isAlive(group: ProcessGroup): boolean {
  return readStartTime(group.pid) === group.startedAt
}

/**
 * Returns true if a recorded group may be ended. Either its leader is the recorded process, or (on Linux only) the
 * leader has exited and a remaining member has `folder` as its working directory.
 */
export function mayEndGroup(group: ProcessGroup, folder: string): boolean {
  const startTime = readStartTime(group.pid)
  if (startTime !== null) return startTime === group.startedAt
  return process.platform === 'linux' && listMembers(group.pid).some((pid) => readWorkingFolder(pid) === folder)
}

function listMembers(groupId: number): string[] {
  return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && readProcessGroup(entry) === groupId)
}

function readWorkingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

function groupExists(pid: number): boolean {
  if (process.platform === 'linux') return listMembers(pid).length > 0
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

/** Returns the process group of a Linux process, or null for a zombie or a missing process. */
function readProcessGroup(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : Number(fields[2])
  } catch {
    return null
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name)
  } catch {
    // The group has already ended.
  }
}

/**
 * Ends a whole group with SIGTERM, then SIGKILL after `graceMs`; resolves when no member is left. The caller must have
 * started the group or checked it with `isAlive` or `mayEndGroup`.
 */
export async function endGroup(pid: number, graceMs = 4000): Promise<void> {
  if (!groupExists(pid)) return
  sendSignal(pid, 'SIGTERM')
  const until = Date.now() + graceMs
  while (groupExists(pid) && Date.now() < until) await sleep(50)
  if (groupExists(pid)) sendSignal(pid, 'SIGKILL')
  while (groupExists(pid)) await sleep(20)
}
