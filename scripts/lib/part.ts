import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { endGroup } from './process-group.ts'

export interface PartOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** Resolves true when the part answers. Asked until it does at the start, then every two seconds. */
  readonly probe: () => Promise<boolean>
  readonly onStart: (pid: number) => void
  readonly say: (line: string) => void
  /** Called with each line the part prints. */
  readonly onLine?: (line: string) => void
}

const BACK_OFF_MS = [250, 500, 1000, 2000, 5000, 10_000]
const PROBE_EVERY_MS = 2000
/** A part that lives, but has not answered this often in a row, is ended and started anew. */
const SILENT_PROBES = 3
const START_TIMEOUT_MS = 60_000

/** One process group that is kept running: restarted with back-off once its whole group is gone. */
export class Part {
  readonly #options: PartOptions
  readonly #log: WriteStream
  #child: ChildProcess | null = null
  #stopping = false
  #failures = 0
  #silent = 0
  #started: Promise<void> = Promise.resolve()

  constructor(options: PartOptions) {
    this.#options = options
    this.#log = createWriteStream(options.logFile, { flags: 'a', mode: 0o600 })
  }

  /** Starts the part and resolves when it answers; rejects when it does not within a minute. */
  async start(): Promise<void> {
    this.#spawn()
    await this.#ready()
    void this.#watch()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    if (this.#child?.pid !== undefined) await endGroup(this.#child.pid)
    this.#log.end()
  }

  #spawn(): void {
    const { command, args, cwd, env } = this.#options
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.#log.write(`${line}\n`)
        this.#options.onLine?.(line)
      })
    }
    child.on('error', (error) => this.#log.write(`${error.message}\n`))
    child.on('exit', () => this.#ended(child))
    if (child.pid !== undefined) this.#options.onStart(child.pid)
  }

  async #ready(): Promise<void> {
    const until = Date.now() + START_TIMEOUT_MS
    while (!(await this.#options.probe())) {
      if (this.#stopping) return
      if (Date.now() > until) throw new Error(`${this.#options.name} does not answer. See ${this.#options.logFile}.`)
      await sleep(100)
    }
    this.#silent = 0
  }

  #ended(child: ChildProcess): void {
    if (this.#stopping || child !== this.#child) return
    // Set at once: the watch must not take a part that is being restarted for a silent one.
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
      if (await this.#options.probe()) {
        this.#silent = 0
        this.#failures = 0
      } else if (++this.#silent >= SILENT_PROBES && this.#child?.pid !== undefined) {
        this.#silent = 0
        await endGroup(this.#child.pid)
      }
    }
  }
}

/** Whether the address answers 200 within two seconds. */
export async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}
