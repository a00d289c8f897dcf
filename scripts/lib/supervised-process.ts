import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { LogFile } from './log-file.ts'
import { endGroup } from './process-group.ts'
import { checkChild, type HealthStatus } from './health-check.ts'

export interface ProcessOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /**
   * Checks the process. The supervisor repeats the check until the process has started, then every two seconds unless
   * `hasChannel` is true.
   */
  readonly probe: (timeoutMs: number) => Promise<HealthStatus>
  /**
   * True for a Node process with an IPC channel (health-check.ts). After the start, the supervisor checks the process
   * over this channel instead of with `probe`.
   */
  readonly hasChannel?: boolean
  /** Timeout of a health check in ms; a process that exceeds it counts as stuck. */
  readonly checkTimeoutMs?: number
  readonly onStart: (pid: number) => void
  readonly say: (line: string) => void
  readonly onLine?: (line: string) => void
}

const BACKOFF_DELAYS_MS = [250, 500, 1000, 2000, 5000, 10_000]
const CHECK_INTERVAL_MS = 2000
const START_CHECK_TIMEOUT_MS = 2000
/** Number of consecutive `refused` checks after which a live process is restarted. One `silent` check is enough. */
const MAX_FAILED_CHECKS = 3
/** Default for `checkTimeoutMs`. A busy process responds to a health check only after it has processed its backlog. */
const CHECK_TIMEOUT_MS = 20_000
const START_TIMEOUT_MS = 60_000

/**
 * Process group that is restarted with backoff if its main process exits or hangs. Before a restart, the whole group is
 * ended.
 */
export class SupervisedProcess {
  readonly #options: ProcessOptions
  readonly #log: LogFile
  #child: ChildProcess | null = null
  #isStopping = false
  #failureCount = 0
  #failedCheckCount = 0
  #restarting: Promise<void> = Promise.resolve()

  constructor(options: ProcessOptions) {
    this.#options = options
    this.#log = new LogFile(options.logFile)
  }

  /** Starts the process and resolves when the process is healthy. Rejects if that takes more than a minute. */
  async start(): Promise<void> {
    this.#spawn()
    await this.#waitUntilHealthy()
    void this.#watch()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    if (this.#child?.pid !== undefined) await endGroup(this.#child.pid)
  }

  #spawn(): void {
    const { command, args, cwd, env, hasChannel } = this.#options
    const channel = hasChannel ? (['ipc'] as const) : []
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', ...channel] })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        this.#log.write(line)
        this.#options.onLine?.(line)
      })
    }
    child.on('error', (error) => this.#log.write(error.message))
    child.on('exit', () => this.#handleExit(child))
    if (child.pid !== undefined) this.#options.onStart(child.pid)
  }

  async #waitUntilHealthy(): Promise<void> {
    const until = Date.now() + START_TIMEOUT_MS
    while ((await this.#options.probe(START_CHECK_TIMEOUT_MS)) !== 'answers') {
      if (this.#isStopping) return
      if (Date.now() > until)
        throw new Error(`The ${this.#options.name} isn't responding. See ${this.#options.logFile}.`)
      await sleep(100)
    }
    this.#failedCheckCount = 0
  }

  #handleExit(child: ChildProcess): void {
    if (this.#isStopping || child !== this.#child) return
    // This assignment must be synchronous, so that `#watch` waits for the restart before its next check.
    this.#restarting = this.#restart(child)
  }

  async #restart(child: ChildProcess): Promise<void> {
    const delayMs = BACKOFF_DELAYS_MS[Math.min(this.#failureCount++, BACKOFF_DELAYS_MS.length - 1)] ?? 0
    this.#options.say(`The ${this.#options.name} stopped. Restarting…`)
    if (child.pid !== undefined) await endGroup(child.pid)
    await sleep(delayMs)
    if (this.#isStopping) return
    this.#spawn()
    const hasRestarted = await this.#waitUntilHealthy().then(
      () => true,
      () => false,
    )
    if (hasRestarted && !this.#isStopping) this.#options.say(`The ${this.#options.name} is back.`)
  }

  async #watch(): Promise<void> {
    while (!this.#isStopping) {
      await sleep(CHECK_INTERVAL_MS, undefined, { ref: false })
      await this.#restarting
      if (this.#isStopping) return
      const child = this.#child
      if (child?.pid === undefined) continue
      const { hasChannel, probe, checkTimeoutMs = CHECK_TIMEOUT_MS } = this.#options
      const status = await (hasChannel ? checkChild(child, checkTimeoutMs) : probe(checkTimeoutMs))
      // The checked process may have ended meanwhile. In this case, its exit handler starts the next process.
      if (child !== this.#child || child.exitCode !== null || child.signalCode !== null) continue
      if (status === 'answers') {
        this.#failureCount = 0
        this.#failedCheckCount = 0
      } else if (this.#isStuck(status)) {
        this.#failedCheckCount = 0
        await endGroup(child.pid)
      }
    }
  }

  #isStuck(status: HealthStatus): boolean {
    return status === 'silent' || ++this.#failedCheckCount >= MAX_FAILED_CHECKS
  }
}
