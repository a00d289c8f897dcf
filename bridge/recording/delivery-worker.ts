import { Backoff } from '../runtime/backoff.ts'
import { getErrorMessage } from '../runtime/log.ts'

interface DeliveryWorkerOptions {
  /** Returns the names of waiting entries, oldest first. */
  readonly waiting: () => Promise<string[]>
  /** Processes one entry. Returns a reason if only this entry must wait; throws if no entry can be processed now. */
  readonly one: (name: string) => Promise<string | undefined>
  /** Called after each run: with the reason if the worker must retry, otherwise with ''. */
  readonly reportReason: (reason: string) => void
}

/** Processes all waiting entries, oldest first, and retries failures. */
export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions
  readonly #backOff = new Backoff(1000, 30_000)
  #isWorking = false
  #isRunRequested = false
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options
  }

  /** Resets the backoff and runs now. Called for a new entry, or when a retry may succeed. */
  wake(): void {
    this.#backOff.reset()
    this.#start()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #start(): void {
    this.#isRunRequested = true
    if (!this.#isWorking) void this.#deliverWaiting()
  }

  async #deliverWaiting(): Promise<void> {
    this.#isWorking = true
    clearTimeout(this.#timer)
    try {
      while (this.#isRunRequested && !this.#isStopped) {
        this.#isRunRequested = false
        let reason: string | undefined
        for (const name of await this.#options.waiting()) {
          if (this.#isStopped) return
          reason = (await this.#options.one(name)) ?? reason
        }
        if (reason !== undefined) throw new Error(reason)
      }
      this.#options.reportReason('')
    } catch (error) {
      this.#options.reportReason(getErrorMessage(error))
      if (!this.#isStopped) this.#timer = setTimeout(() => this.#start(), this.#backOff.next())
    } finally {
      this.#isWorking = false
    }
  }
}
