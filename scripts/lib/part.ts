import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { LogFile } from './log-file.ts'
import { endGroup } from './process-group.ts'
import { checkChild, type Pulse } from './pulse.ts'

export interface PartOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** Health check: polled until it succeeds at the start, then every two seconds. `waitMs`: timeout of one check. */
  readonly probe: (waitMs: number) => Promise<Pulse>
  /**
   * True for a Node process with an IPC channel (pulse.ts); after the start the supervisor checks this channel instead
   * of `probe`.
   */
  readonly hasChannel?: boolean
  /** Timeout of a health check in ms; a process that exceeds it counts as stuck. */
  readonly patience?: number
  readonly onStart: (pid: number) => void
  readonly say: (line: string) => void
  readonly onLine?: (line: string) => void
}

const BACK_OFF_MS = [250, 500, 1000, 2000, 5000, 10_000]
const PROBE_EVERY_MS = 2000
const START_ANSWER_MS = 2000
/** Number of consecutive failed checks after which a live process is restarted. */
const REFUSALS = 3
/** Default for `patience`: a process that accepts a health check may need this time for its backlog. */
const PATIENCE_MS = 20_000
const START_TIMEOUT_MS = 60_000

/** Supervised process group: restarted with backoff after the whole group has ended. */
export class SupervisedProcess {
  readonly #options: PartOptions
  readonly #log: LogFile
  #child: ChildProcess | null = null
  #stopping = false
  #failures = 0
  #refused = 0
  #started: Promise<void> = Promise.resolve()

  constructor(options: PartOptions) {
    this.#options = options
    this.#log = new LogFile(options.logFile)
  }

  /** Starts the process and resolves when it is healthy; rejects after a minute. */
  async start(): Promise<void> {
    this.#spawn()
    await this.#ready()
    void this.#watch()
  }

  async stop(): Promise<void> {
    this.#stopping = true
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
    child.on('exit', () => this.#ended(child))
    if (child.pid !== undefined) this.#options.onStart(child.pid)
  }

  async #ready(): Promise<void> {
    const until = Date.now() + START_TIMEOUT_MS
    while ((await this.#options.probe(START_ANSWER_MS)) !== 'answers') {
      if (this.#stopping) return
      if (Date.now() > until) throw new Error(`${this.#options.name} does not answer. See ${this.#options.logFile}.`)
      await sleep(100)
    }
    this.#refused = 0
  }

  #ended(child: ChildProcess): void {
    if (this.#stopping || child !== this.#child) return
    // Assigned synchronously: `#watch` must not treat a restarting process as a silent one.
    this.#started = this.#restart(child)
  }

  async #restart(dead: ChildProcess): Promise<void> {
    const wait = BACK_OFF_MS[Math.min(this.#failures++, BACK_OFF_MS.length - 1)] ?? 0
    this.#options.say(`The ${this.#options.name} stopped; it is started again.`)
    if (dead.pid !== undefined) await endGroup(dead.pid)
    await sleep(wait)
    if (this.#stopping) return
    this.#spawn()
    const isBack = await this.#ready().then(
      () => true,
      () => false,
    )
    if (isBack && !this.#stopping) this.#options.say(`The ${this.#options.name} is back.`)
  }

  async #watch(): Promise<void> {
    while (!this.#stopping) {
      await sleep(PROBE_EVERY_MS, undefined, { ref: false })
      await this.#started
      if (this.#stopping) return
      const child = this.#child
      if (child?.pid === undefined) continue
      const { hasChannel, probe, patience = PATIENCE_MS } = this.#options
      const pulse = await (hasChannel ? checkChild(child, patience) : probe(patience))
      // The checked process may have ended meanwhile; its exit handler starts the next one.
      if (child !== this.#child || child.exitCode !== null || child.signalCode !== null) continue
      if (pulse === 'answers') {
        this.#failures = 0
        this.#refused = 0
      } else if (this.#isStuck(pulse)) {
        this.#refused = 0
        await endGroup(child.pid)
      }
    }
  }

  #isStuck(pulse: Pulse): boolean {
    return pulse === 'silent' || ++this.#refused >= REFUSALS
  }
}
