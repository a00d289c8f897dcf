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

/** Reads the process table of one platform. */
interface ProcessTable {
  readStartTime(pid: number): string | null
  listMembers(groupId: number): number[]
  readWorkingFolder(pid: number): string | null
  /** Returns true if all threads of a process are stopped, or if the process has ended. */
  isPaused(pid: number): boolean
}

const linuxProcessTable: ProcessTable = {
  readStartTime: (pid) => readStat(pid)?.startTime ?? null,
  listMembers: (groupId) =>
    readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => readStat(pid)?.groupId === groupId),
  readWorkingFolder(pid) {
    try {
      return readlinkSync(`/proc/${pid}/cwd`)
    } catch {
      return null
    }
  },
  isPaused: (pid) => listThreadStates(pid).every((state) => /^[TtZX]$/.test(state)),
}

/**
 * Returns the states of all threads of a Linux process. A thread stops only after a write that it has begun, so a
 * stopped main thread is not enough.
 */
function listThreadStates(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      return stat.charAt(stat.lastIndexOf(')') + 2)
    })
  } catch {
    // The process or one of its threads has just ended.
    return readStat(pid) === null ? [] : ['R']
  }
}

/** Returns fields of a Linux process; null for a zombie or a missing process. */
function readStat(pid: number): { groupId: number; startTime: string | null } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : { groupId: Number(fields[2]), startTime: fields[19] ?? null }
  } catch {
    return null
  }
}

/** macOS and other systems without /proc. The options of `ps` and `lsof` are the same on macOS and Linux. */
const portableProcessTable: ProcessTable = {
  readStartTime(pid) {
    const [, state = 'Z', startTime = ''] =
      /^(\S+)\s+(.+)$/.exec(runTool('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]).trim()) ?? []
    return state.startsWith('Z') ? null : startTime
  },
  listMembers: (groupId) =>
    runTool('ps', ['-A', '-o', 'pid=', '-o', 'pgid=', '-o', 'stat='])
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter(([, group, state]) => Number(group) === groupId && state?.startsWith('Z') === false)
      .map(([pid]) => Number(pid)),
  readWorkingFolder: (pid) =>
    /^n(.+)$/m.exec(runTool('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-F', 'n']))?.[1] ?? null,
  isPaused: (pid) => /^([TZ]|$)/.test(runTool('ps', ['-o', 'stat=', '-p', String(pid)]).trim()),
}

/** Returns the output of a program; '' if it fails. Locale and time zone are fixed, because start times are compared. */
function runTool(program: string, args: readonly string[]): string {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  try {
    return execFileSync(program, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}

const getProcessTable = (platform: NodeJS.Platform) => (platform === 'linux' ? linuxProcessTable : portableProcessTable)

/**
 * Returns the start time of a process as an opaque value to compare; null if there is no such process or if the process
 * is a zombie.
 */
export const readStartTime = (pid: number, platform: NodeJS.Platform = process.platform): string | null =>
  getProcessTable(platform).readStartTime(pid)

export function isAlive(group: ProcessGroup): boolean {
  return readStartTime(group.pid) === group.startedAt
}

/**
 * Returns true if a recorded group may be ended. Either its leader is the recorded process, or the leader has exited and
 * a remaining member has `folder` as its working directory.
 */
export function mayEndGroup(
  group: ProcessGroup,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const startTime = readStartTime(group.pid, platform)
  if (startTime !== null) return startTime === group.startedAt
  const table = getProcessTable(platform)
  return table.listMembers(group.pid).some((pid) => table.readWorkingFolder(pid) === folder)
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
export async function endGroup(
  pid: number,
  graceMs = 4000,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const groupExists = () => getProcessTable(platform).listMembers(pid).length > 0
  if (!groupExists()) return
  sendSignal(pid, 'SIGTERM')
  const until = Date.now() + graceMs
  while (groupExists() && Date.now() < until) await sleep(50)
  if (groupExists()) sendSignal(pid, 'SIGKILL')
  while (groupExists()) await sleep(20)
}

const PAUSE_POLL_MS = 2

/**
 * Pauses all processes of a group (SIGSTOP). Returns true when every thread has stopped; false if one still runs at
 * `until`, ms UTC, for example because it waits for a disk that does not respond.
 */
export async function pauseGroup(
  pid: number,
  until: number,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  sendSignal(pid, 'SIGSTOP')
  while (!isGroupPaused(pid, platform)) {
    if (Date.now() > until) return false
    await sleep(PAUSE_POLL_MS)
  }
  return true
}

export function resumeGroup(pid: number): void {
  sendSignal(pid, 'SIGCONT')
}

/** Returns true if no process of the group runs. */
export function isGroupPaused(pid: number, platform: NodeJS.Platform = process.platform): boolean {
  const table = getProcessTable(platform)
  return table.listMembers(pid).every((member) => table.isPaused(member))
}
