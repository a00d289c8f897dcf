import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process group that we started: its leader's id, and when the leader started, so that a reused id is never hit. */
export interface Group {
  readonly pid: number
  readonly startedAt: string
}

/** When a process started, in a form that is only compared; null when there is no such process. */
export function startTime(pid: number): string | null {
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

export function isAlive(group: Group): boolean {
  return startTime(group.pid) === group.startedAt
}

/**
 * Whether a recorded group may be ended: its leader is the process we started, or the leader is gone and what it left
 * behind still works in `folder`.
 */
export function isOurs(group: Group, folder: string): boolean {
  const now = startTime(group.pid)
  if (now !== null) return now === group.startedAt
  return process.platform === 'linux' && members(group.pid).some((pid) => workingFolder(pid) === folder)
}

function members(group: number): string[] {
  return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && readProcessGroup(entry) === group)
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** Whether anything of the group is left, its leader or a child that outlived it. */
function groupExists(pid: number): boolean {
  if (process.platform === 'linux') return members(pid).length > 0
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

/** The process group of a Linux process that is more than a zombie. */
function readProcessGroup(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : Number(fields[2])
  } catch {
    return null
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name)
  } catch {
    // Gone already.
  }
}

/**
 * Ends a whole group: politely, then by force after `graceMs`; resolves when nothing of it is left.
 * The caller vouches that the id is its own: the group was started by this process, or `isAlive` said so.
 */
export async function endGroup(pid: number, graceMs = 4000): Promise<void> {
  if (!groupExists(pid)) return
  signal(pid, 'SIGTERM')
  const until = Date.now() + graceMs
  while (groupExists(pid) && Date.now() < until) await sleep(50)
  if (groupExists(pid)) signal(pid, 'SIGKILL')
  while (groupExists(pid)) await sleep(20)
}
