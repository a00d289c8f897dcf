import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { endGroup, isAlive, mayEndGroup, readStartTime } from './process-group.ts'
import { StopError } from './stop.ts'

const groupSchema = v.object({ pid: v.number(), startedAt: v.string() })
/**
 * `DATA/run.json`: lists the processes that use this data folder. The next start ends the processes that a killed run
 * left behind.
 */
const runSchema = v.object({ supervisor: groupSchema, url: v.string(), parts: v.record(v.string(), groupSchema) })
type RunRecord = v.InferOutput<typeof runSchema>

const RETRY_DELAY_MS = 5000

/**
 * Ends processes that an earlier run left on this data folder. Ends the supervisor first, because it would restart the
 * other processes.
 */
export async function endLeftoverProcesses(data: string, root: string): Promise<void> {
  const path = join(data, 'run.json')
  const run = existsSync(path) ? readRun(path) : null
  if (run === null) return
  if (isAlive(run.supervisor)) process.kill(run.supervisor.pid, 'SIGKILL')
  for (const group of Object.values(run.parts)) if (mayEndGroup(group, root)) await endGroup(group.pid)
}

export class RunFile {
  readonly #path: string
  #run: RunRecord
  #retryTimer: NodeJS.Timeout | undefined

  private constructor(path: string, url: string) {
    this.#path = path
    this.#run = { supervisor: { pid: process.pid, startedAt: readStartTime(process.pid) ?? '' }, url, parts: {} }
  }

  /**
   * Claims the data folder. Throws a `StopError` if another supervisor still uses the folder. Otherwise, ends the
   * process groups that the previous run left behind.
   */
  static async claim(data: string, url: string, root: string): Promise<RunFile> {
    const path = join(data, 'run.json')
    const previousRun = existsSync(path) ? readRun(path) : null
    if (previousRun && isAlive(previousRun.supervisor) && previousRun.supervisor.pid !== process.pid) {
      throw new StopError(
        `Porchlight is already running with this data folder at ${previousRun.url}. Stop that run with Ctrl-C, or choose another folder with --data.`,
      )
    }
    for (const group of Object.values(previousRun?.parts ?? {})) if (mayEndGroup(group, root)) await endGroup(group.pid)
    const file = new RunFile(path, url)
    file.#save()
    return file
  }

  /**
   * Records a running process. If the write fails, for example because the disk is full, retries it every five seconds.
   */
  recordProcess(part: string, pid: number): void {
    this.#run.parts[part] = { pid, startedAt: readStartTime(pid) ?? '' }
    this.#trySave()
  }

  #trySave(): void {
    clearTimeout(this.#retryTimer)
    try {
      this.#save()
    } catch {
      this.#retryTimer = setTimeout(() => this.#trySave(), RETRY_DELAY_MS).unref()
    }
  }

  release(): void {
    clearTimeout(this.#retryTimer)
    rmSync(this.#path, { force: true })
  }

  #save(): void {
    writeFileSync(`${this.#path}.new`, JSON.stringify(this.#run, null, 2))
    renameSync(`${this.#path}.new`, this.#path)
  }
}

/** Use of a data folder by a running Porchlight. */
export interface FolderUse {
  readonly url: string
  /** Process groups that write to the folder, by part. */
  readonly parts: RunRecord['parts']
}

/** Returns the running Porchlight that uses a data folder; null if there is none. */
export function findFolderUse(data: string): FolderUse | null {
  const run = readRun(join(data, 'run.json'))
  if (run === null) return null
  const parts = Object.fromEntries(Object.entries(run.parts).filter(([, group]) => isAlive(group)))
  return isAlive(run.supervisor) || Object.keys(parts).length > 0 ? { url: run.url, parts } : null
}

/**
 * Returns null for an unreadable file, such as one truncated by a crash. Such a file does not safely identify processes
 * to end.
 */
function readRun(path: string): RunRecord | null {
  try {
    return v.parse(runSchema, JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
