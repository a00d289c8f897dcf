import { BackOff } from '../runtime/backoff.ts'
import { getErrorMessage } from '../runtime/log.ts'

interface LaneOptions {
  /** Returns the names of waiting entries, oldest first. */
  readonly waiting: () => Promise<string[]>
  /** Processes one entry. Returns a reason if only this entry must wait; throws if no entry can be processed now. */
  readonly one: (name: string) => Promise<string | undefined>
  /** Reports why an entry waits; '' when none does. */
  readonly complain: (reason: string) => void
}

/** Processes all waiting entries, oldest first, and retries failures. */
export class DeliveryWorker {
  private readonly options: LaneOptions
  private readonly backOff = new BackOff(1000, 30_000)
  private working = false
  private again = false
  private stopped = false
  private timer: NodeJS.Timeout | undefined

  constructor(options: LaneOptions) {
    this.options = options
  }

  /** Restarts without backoff: there is a new entry, or a reason to expect success. */
  wake(): void {
    this.backOff.reset()
    this.start()
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private start(): void {
    this.again = true
    if (!this.working) void this.work()
  }

  private async work(): Promise<void> {
    this.working = true
    clearTimeout(this.timer)
    try {
      while (this.again && !this.stopped) {
        this.again = false
        let reason: string | undefined
        for (const name of await this.options.waiting()) {
          if (this.stopped) return
          reason = (await this.options.one(name)) ?? reason
        }
        if (reason !== undefined) throw new Error(reason)
      }
      this.options.complain('')
    } catch (error) {
      this.options.complain(getErrorMessage(error))
      if (!this.stopped) this.timer = setTimeout(() => this.start(), this.backOff.next())
    } finally {
      this.working = false
    }
  }
}
